// What a person reads of a document, as lines: texts by the element that holds them, controls with their state, pictures that loaded. The
// same for Playwright's viewer and for our replay. Nested frames follow where they stand, as far as they can be reached.
() => {
  const lines = [];
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TITLE", "HEAD"]);
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const visible = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? true;

  const control = (element) => {
    const { localName: name, type } = element;
    if (name === "select") return `select [${[...element.selectedOptions].map((option) => squeeze(option.text)).join(", ")}]`;
    if (name === "textarea") return `textarea ${JSON.stringify(element.value)}`;
    if (name !== "input") return null;
    if (type === "hidden") return null;
    if (type === "checkbox" || type === "radio") return `${type} ${element.checked ? "on" : "off"}`;
    if (type === "file") return "file";
    return `input ${type === "password" ? (element.value ? "•••••" : '""') : JSON.stringify(element.value)}`;
  };

  const said = (data, holder) => {
    const text = squeeze(data);
    if (text && visible(holder)) lines.push(`${holder.getAttribute("role") ?? holder.localName}: ${text}`);
  };

  const walk = (node) => {
    if (node.nodeType !== 1) return;
    if (SKIPPED.has(node.tagName) || node.localName.startsWith("x-pw-") || node.localName === "select" || node.localName === "textarea") {
      if ((node.localName === "select" || node.localName === "textarea") && visible(node)) lines.push(control(node));
      return;
    }
    if (node.localName === "input" && visible(node)) {
      const line = control(node);
      if (line) lines.push(line);
    }
    if (node.localName === "img" && visible(node)) lines.push(`img ${node.alt} ${node.naturalWidth > 0 ? "shown" : "missing"}`);
    if (node.localName === "iframe" || node.localName === "frame") {
      if (!visible(node)) return;
      lines.push("frame");
      try {
        const inner = node.contentDocument?.documentElement;
        if (inner) walk(inner);
      } catch {
        lines.push("frame that cannot be reached");
      }
      return;
    }
    for (const root of [node.shadowRoot, node]) {
      // The viewer's parser makes one text of neighbours; the page, and so a replay, has them apart.
      let text = "";
      for (const child of root?.childNodes ?? []) {
        if (child.nodeType === 3) {
          text += child.data;
          continue;
        }
        said(text, node);
        text = "";
        walk(child);
      }
      said(text, node);
    }
  };
  walk(document.documentElement);
  return lines;
}
