// The canonical serializer: what a document is made of, as lines, the same for the live page and for its replay. It is one function
// expression, called in an isolated world of the document's frame: no script of a page can change what it calls. Properties are read with
// getters of the prototypes, because markup alone can hide them (`<form><input name="attributes">`). It gives `[depth, text]` lines
// as JSON; a frame whose document cannot be reached from here becomes a line with `frame`, in the order of `globalThis.pagereelFrames`,
// and the caller puts that document's lines in its place. `closed`: the closed shadow roots, which only the debugger can name.
//
// Left out, because a replay must not have it: attributes that begin with `on`, `srcdoc`, `nonce`, `integrity`, script URLs (a link has `#` for it), all that a
// <script> holds, the content of <noscript>, and `data-pagereel-*`. What the player withholds from the browser (`src`, `srcset`, `href` of
// links that load, `target`, `sandbox` …) it keeps as `data-pagereel-was-*`, and that is compared.
// With `peer`, both sides also leave out what rrweb changes by design: style sheets' elements, scripts, URLs, inline style, the attributes
// `value`, `checked`, `selected` and `autocomplete`, passwords, focus, and the number of rules. It is judged by a milder measure.
// Processing instructions count as comments: that is how the player shows them, for one of them could load a style sheet.
// Left out because it is no structure: hover and active, caret, media position, the phase of animations (the pixels show them).
(options, ...closed) => {
  const NEVER = new Set(["srcdoc", "nonce", "integrity"]);
  const SCRIPT_URL = /^(?:java|vb)script:/i;
  const LINKS = new Set(["a", "area"]);
  const { replay, peer } = options;
  const MILD = new Set(["src", "srcset", "href", "xlink:href", "action", "formaction", "poster", "data", "background", "style", "value", "checked", "selected", "autocomplete", "crossorigin"]);
  const lines = [];
  const frames = [];
  const stack = [];
  const HTML = "http://www.w3.org/1999/xhtml";
  const SHORT = { [HTML]: "", "http://www.w3.org/2000/svg": "svg|", "http://www.w3.org/1998/Math/MathML": "math|" };

  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (object) => get.call(object);
  };
  const of = Object.fromEntries(
    [
      [Node, ["nodeType", "childNodes", "ownerDocument"]],
      [Element, ["localName", "namespaceURI", "attributes", "shadowRoot", "scrollLeft", "scrollTop"]],
      [Document, ["compatMode", "defaultView", "scrollingElement", "body", "activeElement", "styleSheets", "adoptedStyleSheets"]],
    ].flatMap(([type, names]) => names.map((name) => [name, getter(type, name)])),
  );
  const matches = (element, selector) => {
    try {
      return Element.prototype.matches.call(element, selector);
    } catch {
      return false; // A browser that does not know it.
    }
  };
  const hidden = new Map(closed.map((root) => [root.host, root]));
  const shadowOf = (element) => of.shadowRoot(element) ?? hidden.get(element) ?? null;
  const quote = (text) => JSON.stringify(String(text).toWellFormed());
  const push = (depth, text) => lines.push([depth, text]);

  /** Whether what was fullscreen is shown as a popover. */
  const ours = (element) => replay && Element.prototype.hasAttribute.call(element, "data-pagereel-popover");

  function attributes(element) {
    if (of.localName(element).toLowerCase() === "script") return "";
    const found = new Map();
    const were = new Map();
    let added = [];
    for (const { name, value } of of.attributes(element)) {
      const lower = name.toLowerCase();
      if (lower === "popover" && ours(element)) continue;
      if (lower.startsWith("data-pagereel")) {
        if (lower.startsWith("data-pagereel-was-")) were.set(name.slice(18), value);
        if (lower === "data-pagereel-framed") added = ["src", "data"]; // The empty document that an object or embed is painted in.
        if (lower === "data-pagereel-new") added = value.split(" "); // What a film showed whose bytes are not there stands as a poster; when an animation began.
        continue;
      }
      if (lower.startsWith("on") || NEVER.has(lower)) continue;
      if (SCRIPT_URL.test([...value.slice(0, 64)].filter((c) => c > " ").join(""))) {
        if (!peer && LINKS.has(of.localName(element)) && /^(?:xlink:)?href$/.test(name)) found.set(name, "#");
        continue;
      }
      if (peer && (MILD.has(lower) || lower.startsWith("rr_") || lower.startsWith("_"))) continue;
      found.set(name, peer && lower === "class" ? value.replace(/(?:^| )(?:rrweb-paused|:hover)(?= |$)/g, "").trim() : value);
      if (peer && lower === "class" && found.get(name) === "") found.delete(name);
    }
    for (const name of added) found.delete(name);
    for (const [name, value] of were) found.set(name.replace(/^(xlink|xml)-/, "$1:"), value);
    return [...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([name, value]) => ` ${name.toWellFormed()}=${quote(value)}`).join("");
  }

  function state(element) {
    let text = "";
    const tag = of.namespaceURI(element) === HTML ? of.localName(element) : "";
    if (tag === "input") {
      if (element.type === "checkbox" || element.type === "radio") text += ` :checked=${Number(element.checked)}`;
      else if (element.type !== "file" && !(peer && element.type === "password")) text += ` :value=${quote(element.value)}`;
      if (element.indeterminate) text += " :indeterminate";
    } else if (tag === "textarea") text += ` :value=${quote(element.value)}`;
    else if (tag === "select") text += ` :selected=${[...element.options].flatMap((option, i) => (option.selected ? [i] : []))}`;
    for (const name of ["modal", "popover-open"]) if (matches(element, `:${name}`) && !ours(element)) text += ` :${name}`;
    const document = of.ownerDocument(element);
    const frame = ["iframe", "frame"].includes(tag);
    const marked = (name) => Element.prototype.hasAttribute.call(element, `data-pagereel-${name}`);
    if (replay ? marked("fullscreen") : matches(element, ":fullscreen") && !frame) text += " :fullscreen";
    const root = Node.prototype.getRootNode.call(element);
    const active = of.nodeType(root) === Node.DOCUMENT_NODE ? of.activeElement(root) : root.activeElement;
    const focused = replay ? marked("focus") : active === element && element !== of.body(document);
    if (focused && !peer && !frame && tag !== "html" && !shadowOf(element)) text += " :focus";
    const [left, top] = [of.scrollLeft(element), of.scrollTop(element)];
    if (element !== of.scrollingElement(document) && (left || top)) text += ` :scroll=${Math.round(left)},${Math.round(top)}`;
    return text;
  }

  /** Style rules that a list of rules has, in groups and imported sheets too: how the sheets are cut does not matter. */
  function countRules(rules) {
    let total = 0;
    for (const rule of rules) {
      const type = Object.prototype.toString.call(rule).slice(8, -1);
      if (type === "CSSImportRule") total += rule.styleSheet ? countRules(rule.styleSheet.cssRules) : 0;
      else if (type === "CSSLayerBlockRule" && rule.name === "pagereel") continue; // The player's own.
      else if (type === "CSSStyleRule") total += 1 + countRules(rule.cssRules);
      else if (rule.cssRules && !/Keyframes/.test(type)) total += countRules(rule.cssRules);
      else if (!/LayerStatement|Namespace|FontFaceRule/.test(type)) total += 1; // Fonts made by script are rules in the replay only: the pixels tell.
    }
    return total;
  }

  /** Rules of the sheets that apply in a root. The player shows all of them as adopted sheets; the first is its own. `?`: another origin's. */
  function rules(root) {
    if (peer) return "";
    const isDocument = of.nodeType(root) === Node.DOCUMENT_NODE;
    const sheets = [...(isDocument ? of.styleSheets(root) : root.styleSheets)].filter((sheet) => !sheet.ownerNode || !matches(sheet.ownerNode, "link[rel~=alternate i][title]"));
    const adopted = [...(isDocument ? of.adoptedStyleSheets(root) : root.adoptedStyleSheets)];
    let total = 0;
    for (const sheet of replay ? adopted.slice(1) : [...sheets, ...adopted]) {
      try {
        if (!sheet.disabled) total += countRules(sheet.cssRules);
      } catch {
        return " :rules=?";
      }
    }
    return ` :rules=${total}`;
  }

  function element(node, depth) {
    const [tag, namespace] = [of.localName(node), of.namespaceURI(node)];
    if (peer && ["script", "noscript", "style"].includes(tag)) return;
    if (peer && tag === "link" && /stylesheet/i.test(node.rel)) return;
    push(depth, `<${SHORT[namespace] ?? `${namespace}|`}${tag.toWellFormed()}${attributes(node)}${state(node)}>`);
    if (tag === "script" || tag === "noscript") return;
    const below = [];
    if (namespace === HTML && tag === "template") below.push(node.content);
    const shadow = shadowOf(node);
    if (shadow) below.push(shadow);
    below.push(...of.childNodes(node));
    if (namespace === HTML && (tag === "iframe" || tag === "frame")) {
      const inner = node.contentDocument;
      if (inner) below.push(inner);
      else below.push(node); // marks the place, see visit
    }
    for (let i = below.length - 1; i >= 0; i--) stack.push([below[i], depth + 1, below[i] === node]);
  }

  /** In a replay the text of a <style> that would import something stands beside it. */
  function textOf(node) {
    const style = replay && node.data === "" && of.childNodes(node.parentNode).length === 1 ? node.parentNode : null;
    return style?.dataset?.pagereelText || node.data;
  }

  function visit(node, depth, unreachable) {
    if (unreachable) {
      lines.push([depth, "frame"]);
      frames.push(node);
      return;
    }
    switch (of.nodeType(node)) {
      case Node.ELEMENT_NODE: return element(node, depth);
      case Node.TEXT_NODE: return push(depth, `text ${quote(textOf(node))}`);
      case Node.CDATA_SECTION_NODE: return push(depth, `cdata ${quote(node.data)}`);
      case Node.COMMENT_NODE: return push(depth, `comment ${quote(node.data)}`);
      case Node.PROCESSING_INSTRUCTION_NODE: return push(depth, `comment ${quote(`?${node.target} ${node.data}?`)}`);
      case Node.DOCUMENT_TYPE_NODE: return push(depth, `doctype ${node.name} ${quote(node.publicId)} ${quote(node.systemId)}`);
      default: {
        if (of.nodeType(node) === Node.DOCUMENT_NODE) {
          const view = of.defaultView(node);
          const scroll = view && (view.scrollX || view.scrollY) ? ` :scroll=${Math.round(view.scrollX)},${Math.round(view.scrollY)}` : "";
          push(depth, `#document ${of.compatMode(node)}${scroll}${rules(node)}`);
        } else if (node.host) push(depth, `#shadow ${node.mode}${node.slotAssignment === "manual" ? " manual" : ""}${node.delegatesFocus ? " delegates" : ""}${rules(node)}`);
        else push(depth, "#content");
        const children = of.childNodes(node);
        for (let i = children.length - 1; i >= 0; i--) stack.push([children[i], depth + 1, false]);
      }
    }
  }

  stack.push([document, 0, false]);
  while (stack.length > 0) visit(...stack.pop());
  globalThis.pagereelFrames = frames;
  return JSON.stringify(lines);
}
