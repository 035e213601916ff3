// A document written down deeply: shadow roots, nested frames, form state, scroll. One line a thing, made to be compared.
//
// (options) => string. `options.root`: "document" or "replay" (what `pagereel.frame` shows). `options.plain`: what a live page and
// its replay must have in common; without it, every attribute counts, the player's markers too.
(options) => {
  const MASK = "•••••";
  const SECRET = /^(cc-(number|exp|exp-month|exp-year|csc)|one-time-code|current-password|new-password)$/;
  const WAS = "data-pagereel-was-";
  const out = [];
  let frames = 0;

  function attributes(element) {
    const found = new Map();
    for (const { name, value } of element.attributes) {
      if (!options.plain) found.set(name, value.replace(/blob:[^\s"')]+/g, "blob:"));
      else if (name.startsWith(WAS)) found.set(name.slice(WAS.length), value);
      else if (!name.startsWith("data-pagereel")) if (!found.has(name.replaceAll(":", "-"))) found.set(name.replaceAll(":", "-"), value);
    }
    if (options.plain) {
      for (const name of [...found.keys()]) {
        // Never recorded (docs/format.md), or resolved to bytes.
        if (/^on/i.test(name) || /^(nonce|integrity|srcdoc)$/i.test(name)) found.delete(name);
        else if (/(^|-)(src|href|srcset|action|formaction|data|poster|background|ping)$/i.test(name)) found.delete(name);
      }
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join("");
  }

  function state(element) {
    const name = element.localName;
    let text = "";
    if (name === "input" && /^(checkbox|radio)$/.test(element.type)) text += ` {checked ${element.checked} ${element.indeterminate}}`;
    else if (name === "input" || name === "textarea") {
      const secret = element.type === "password" || SECRET.test(element.autocomplete);
      text += ` {value ${JSON.stringify(options.plain && secret && element.value ? MASK : element.value)}}`;
    } else if (name === "select") text += ` {selected ${[...element.selectedOptions].map((option) => option.index)}}`;
    else if (name === "dialog") text += ` {open ${element.open} ${element.matches(":modal")}}`;
    if (element.hasAttribute("popover")) text += ` {popover ${element.matches(":popover-open")}}`;
    if (Math.round(element.scrollLeft) || Math.round(element.scrollTop)) text += ` {scroll ${Math.round(element.scrollLeft)} ${Math.round(element.scrollTop)}}`;
    return text;
  }

  function inside(frame) {
    try { return frame.contentDocument; } catch { return null; }
  }

  function visit(node, depth, silent) {
    const pad = " ".repeat(depth);
    switch (node.nodeType) {
      case 1: {
        const name = node.localName;
        if (name === "script") { out.push(`${pad}<${options.plain ? "script" : `script${attributes(node)}`}>`); if (!options.plain) for (const child of node.childNodes) visit(child, depth + 1, false); return; }
        // The viewport's offset is written with the document.
        const own = node === node.ownerDocument.scrollingElement ? state(node).replace(/ \{scroll [^}]*\}/, "") : state(node);
        out.push(`${pad}<${node.namespaceURI === "http://www.w3.org/1999/xhtml" ? "" : `${node.namespaceURI} `}${name}${attributes(node)}>${own}`);
        if (node.shadowRoot) { out.push(`${pad} #shadow ${node.shadowRoot.mode}`); for (const child of node.shadowRoot.childNodes) visit(child, depth + 2, false); out.push(`${pad} #end`); }
        if (name === "template" && node.content) { out.push(`${pad} #content`); for (const child of node.content.childNodes) visit(child, depth + 2, false); }
        if (name === "iframe" || name === "frame") {
          if (options.root === "replay") { const shown = inside(node); out.push(`${pad} #frame`); if (shown) page(shown, depth + 2); out.push(`${pad} #end`); }
          else out.push(`${pad} #frame @@${frames++}`);
        }
        // Rewritten by the builder (pseudo-classes, addresses), or never recorded.
        const quiet = options.plain && (name === "style" || name === "noscript");
        if (!quiet) for (const child of node.childNodes) visit(child, depth + 1, false);
        return;
      }
      case 3: out.push(`${pad}${JSON.stringify(node.data)}`); return;
      case 8: out.push(`${pad}<!--${JSON.stringify(node.data)}`); return;
      case 4: out.push(`${pad}cdata ${JSON.stringify(node.data)}`); return;
      case 7: out.push(`${pad}<?${node.target} ${JSON.stringify(node.data)}`); return;
      case 10: out.push(`${pad}<!doctype ${node.name}>`); return;
      default: out.push(`${pad}node ${node.nodeType}`);
    }
  }

  function page(document, depth) {
    const view = document.defaultView;
    out.push(`${" ".repeat(depth)}#document ${document.compatMode} scroll ${Math.round(view?.scrollX ?? 0)} ${Math.round(view?.scrollY ?? 0)}`);
    if (!options.plain) out.push(`${" ".repeat(depth)}sheets ${document.styleSheets.length} adopted ${document.adoptedStyleSheets.length}`);
    for (const child of document.childNodes) visit(child, depth, false);
  }

  if (options.root === "replay") {
    const { frame } = window.pagereel;
    if (!frame) return "no frame";
    if (!options.plain) out.push(`box ${frame.style.width} ${frame.style.height}`);
    page(frame.contentDocument, 0);
  } else page(document, 0);
  return out.join("\n");
}
