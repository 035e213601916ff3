// Real nodes for recorded ones. Nothing here sets an attribute.

import { HTML_NAMESPACE, MATHML_NAMESPACE, SVG_NAMESPACE, type ModelNode, splitTag } from "../state/node.ts";
import { allowsElement, EMPTIED_ELEMENTS, isScript } from "./allow-lists.ts";

/** Creates an empty real node for a recorded one; null for kinds of nodes that cannot be created by themselves. */
export function createNode(document: Document, node: ModelNode): Node | null {
  switch (node.kind) {
    case "element":
      return createElement(document, node.tag);
    case "text":
      return document.createTextNode(node.data);
    case "comment":
      return document.createComment(node.data);
    case "cdata":
      return createForeign(() => xml().createCDATASection(node.data), document) ?? document.createTextNode(node.data);
    case "pi":
      return document.createComment(formatInstructionAsComment(node));
    case "doctype": {
      const [publicId = "", systemId = ""] = node.data.split("\x1f");
      return createForeign(
        () => document.implementation.createDocumentType(node.tag || "html", publicId, systemId),
        document,
      );
    }
    default:
      return null;
  }
}

/**
 * Returns the text of the comment that is painted for a processing instruction, because `<?xml-stylesheet?>` would
 * load a sheet.
 */
export function formatInstructionAsComment(node: ModelNode): string {
  return `?${node.tag} ${node.data}?`;
}

/** Returns the text to paint for a text node; "" in an element whose text the browser would run. */
export function getPaintedText(node: ModelNode, parent: ModelNode | undefined): string {
  if (node.kind === "pi") return formatInstructionAsComment(node);
  if (!parent) return node.data;
  return EMPTIED_ELEMENTS.has(parent.tag) || isScript(parent.tag) ? "" : node.data;
}

const nowhere = document.implementation.createHTMLDocument("");
const verdicts = new Map<string, boolean>();

/** The real element; of a kind that is not listed and that this browser knows, one that only has its name: no browser gives its namespace a meaning. */
function createElement(document: Document, tag: string): Element {
  const [namespace, name] = splitTag(tag);
  let allowed = verdicts.get(tag);
  if (allowed === undefined) {
    allowed = allowsElement(tag, () => makeElement(nowhere, namespace, name) ?? nowhere.body);
    verdicts.set(tag, allowed);
  }
  const made =
    (allowed && makeElement(document, namespace, name)) ||
    document.createElementNS(`${INERT}${namespace}`, name.replace(/[^\w.-]|^[^a-z]/gi, "_"));
  // In an HTML document no selector finds just this one: those of XML look for it here (player_build/sheet_rewriting.py).
  if (/[A-Z]/.test(name)) made.setAttribute("data-pagereel-name", name);
  return made;
}

/** Before the namespace of an element that is not what it was. */
const INERT = "pagereel:";

function makeElement(document: Document, namespace: string, name: string): Element | null {
  try {
    // The parser takes `<a:b>` for one name; createElementNS would cut it in two.
    if (namespace === HTML_NAMESPACE && name.includes(":")) return document.createElement(name);
    // `<svg><a:animate>` is no animation, createElementNS would make one of it.
    if (!WRAPPERS[namespace] || !name.includes(":")) return document.createElementNS(namespace, name);
  } catch {
    // A name that only the HTML parser makes, such as `a"b`.
  }
  return parse(document, namespace, name);
}

/** In what the HTML parser makes elements of other namespaces. */
const WRAPPERS: Readonly<Record<string, string>> = { [SVG_NAMESPACE]: "<svg>", [MATHML_NAMESPACE]: "<math>" };

function parse(document: Document, namespace: string, name: string): Element | null {
  if (!/^[a-z][^\s/>]*$/i.test(name) || name.includes("\0")) return null;
  const wrapper = WRAPPERS[namespace];
  const { body } = new DOMParser().parseFromString(`${wrapper ?? ""}<${name}>`, "text/html");
  const parsed = wrapper ? body.firstElementChild?.firstElementChild : body.firstElementChild;
  if (!parsed || parsed.localName !== name.toLowerCase()) return null;
  for (const { name: attribute } of [...parsed.attributes]) parsed.removeAttribute(attribute);
  parsed.textContent = "";
  return document.importNode(parsed, false);
}

function xml(): XMLDocument {
  return document.implementation.createDocument(null, null);
}

function createForeign<T extends Node>(make: () => T, document: Document): T | null {
  try {
    return document.importNode(make(), true);
  } catch {
    return null;
  }
}
