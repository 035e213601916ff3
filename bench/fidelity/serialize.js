// The canonical serializer: what a document is made of, as lines, the same for the live page and for its replay. It is one function
// expression, evaluated in the page's main world and in the player's window. Lines are `[depth, text]`; a frame whose document cannot be
// reached from here becomes a line with `frame`, and the caller puts that document's lines in its place.
//
// Left out, because a replay must not have it: attributes that begin with `on`, `srcdoc`, `nonce`, `integrity`, script URLs, all that a
// <script> holds, the content of <noscript>, and `data-pagereel-*`. What the player withholds from the browser (`src`, `srcset`, `href` of
// links that load, `target`, `sandbox` …) it keeps as `data-pagereel-was-*`, and that is compared.
// With `peer`, both sides also leave out what rrweb changes by design: style sheets' elements, scripts, URLs, inline style, values of
// `value`, `autocomplete` and passwords, focus, and the number of rules. It is judged by a milder measure.
// Left out because it is no structure: hover and active, caret, media position, the phase of animations (the pixels show them).
(start, options) => {
  const NEVER = new Set(["srcdoc", "nonce", "integrity"]);
  const SCRIPT_URL = /^(?:java|vb)script:/i;
  const { replay, peer } = options;
  const MILD = new Set(["src", "srcset", "href", "xlink:href", "action", "formaction", "poster", "data", "background", "style", "value", "autocomplete", "crossorigin"]);
  const lines = [];
  const frames = [];
  const stack = [];
  const HTML = "http://www.w3.org/1999/xhtml";
  const SHORT = { [HTML]: "", "http://www.w3.org/2000/svg": "svg|", "http://www.w3.org/1998/Math/MathML": "math|" };

  const push = (depth, text) => lines.push([depth, text]);

  function attributes(element) {
    if (element.localName.toLowerCase() === "script") return "";
    const found = new Map();
    const were = new Map();
    for (const { name, value } of element.attributes) {
      const lower = name.toLowerCase();
      if (lower.startsWith("data-pagereel")) {
        if (lower.startsWith("data-pagereel-was-")) were.set(name.slice(18), value);
        continue;
      }
      if (lower.startsWith("on") || NEVER.has(lower)) continue;
      if (SCRIPT_URL.test([...value.slice(0, 64)].filter((c) => c > " ").join(""))) continue;
      if (peer && (MILD.has(lower) || lower.startsWith("rr_") || lower.startsWith("_"))) continue;
      found.set(name, peer && lower === "class" ? value.replace(/ ?\brrweb-paused\b/, "") : value);
      if (peer && lower === "class" && found.get(name) === "") found.delete(name);
    }
    for (const [name, value] of were) found.set(name.replace(/^(xlink|xml)-/, "$1:"), value);
    return [...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join("");
  }

  function state(element) {
    let text = "";
    const tag = element.namespaceURI === HTML ? element.localName : "";
    if (tag === "input") {
      if (element.type === "checkbox" || element.type === "radio") text += ` :checked=${Number(element.checked)}`;
      else if (element.type !== "file" && !(peer && element.type === "password")) text += ` :value=${JSON.stringify(element.value)}`;
      if (element.indeterminate) text += " :indeterminate";
    } else if (tag === "textarea") text += ` :value=${JSON.stringify(element.value)}`;
    else if (tag === "select") text += ` :selected=${[...element.options].flatMap((option, i) => (option.selected ? [i] : []))}`;
    for (const name of ["modal", "popover-open"]) {
      try {
        if (element.matches(`:${name}`)) text += ` :${name}`;
      } catch {
        // A browser that does not know it.
      }
    }
    const full = replay ? element.hasAttribute("data-pagereel-fullscreen") : element.matches(":fullscreen") && !["iframe", "frame"].includes(tag);
    if (full) text += " :fullscreen";
    const focused = replay ? element.hasAttribute("data-pagereel-focus") : element.getRootNode().activeElement === element && element !== element.ownerDocument.body;
    if (focused && !peer && !["iframe", "frame", "html"].includes(tag) && !element.shadowRoot) text += " :focus";
    const root = element === element.ownerDocument.scrollingElement;
    if (!root && (element.scrollLeft || element.scrollTop)) text += ` :scroll=${Math.round(element.scrollLeft)},${Math.round(element.scrollTop)}`;
    return text;
  }

  /** Rules of the sheets that apply in a root, in the order of the cascade. The player shows all of them as adopted sheets; the first is its own. */
  function rules(root) {
    if (peer) return "";
    const count = (sheet) => {
      try {
        return sheet.disabled ? 0 : sheet.cssRules.length;
      } catch {
        return NaN;
      }
    };
    const sum = (sheets) => [...sheets].reduce((total, sheet) => total + count(sheet), 0);
    const total = replay ? sum([...root.adoptedStyleSheets].slice(1)) : sum(root.styleSheets) + sum(root.adoptedStyleSheets);
    return Number.isNaN(total) ? "" : ` :rules=${total}`;
  }

  function visit(node, depth) {
    switch (node.nodeType) {
      case Node.ELEMENT_NODE: {
        const { localName, namespaceURI } = node;
        if (peer && ["script", "noscript", "style"].includes(localName)) return;
        if (peer && localName === "link" && /stylesheet/i.test(node.rel)) return;
        push(depth, `<${SHORT[namespaceURI] ?? `${namespaceURI}|`}${localName}${attributes(node)}${state(node)}>`);
        if (localName === "script" || localName === "noscript") return;
        const below = [];
        if (namespaceURI === HTML && localName === "template") below.push(node.content);
        if (node.shadowRoot) below.push(node.shadowRoot);
        below.push(...node.childNodes);
        if (namespaceURI === HTML && (localName === "iframe" || localName === "frame")) {
          let inner = null;
          try {
            inner = node.contentDocument;
          } catch {
            inner = null;
          }
          if (inner) below.push(inner);
          else {
            lines.push([depth + 1, "frame"]);
            frames.push(node);
          }
        }
        for (let i = below.length - 1; i >= 0; i--) stack.push([below[i], depth + 1]);
        return;
      }
      case Node.TEXT_NODE: return push(depth, `text ${JSON.stringify(node.data)}`);
      case Node.CDATA_SECTION_NODE: return push(depth, `cdata ${JSON.stringify(node.data)}`);
      case Node.COMMENT_NODE: return push(depth, `comment ${JSON.stringify(node.data)}`);
      case Node.PROCESSING_INSTRUCTION_NODE: return push(depth, `pi ${node.target} ${JSON.stringify(node.data)}`);
      case Node.DOCUMENT_TYPE_NODE: return push(depth, `doctype ${node.name} ${JSON.stringify([node.publicId, node.systemId])}`);
      default: {
        const isDocument = node.nodeType === Node.DOCUMENT_NODE;
        if (isDocument) {
          const view = node.defaultView;
          const scroll = view && (view.scrollX || view.scrollY) ? ` :scroll=${Math.round(view.scrollX)},${Math.round(view.scrollY)}` : "";
          push(depth, `#document ${node.compatMode}${scroll}${rules(node)}`);
        } else if (node.host) push(depth, `#shadow ${node.mode}${node.slotAssignment === "manual" ? " manual" : ""}${node.delegatesFocus ? " delegates" : ""}${rules(node)}`);
        else push(depth, "#content");
        for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push([node.childNodes[i], depth + 1]);
      }
    }
  }

  stack.push([start ?? document, 0]);
  while (stack.length > 0) visit(...stack.pop());
  if (options.frame !== undefined) return frames[options.frame];
  return { lines, frames: frames.length };
}
