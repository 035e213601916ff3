// Safe access to the DOM. A form with a field called "attributes", or a document with an image called "scrollingElement", shadows the
// built-in property, in every world: <https://html.spec.whatwg.org/#dom-tree-accessors>. The getters of the prototypes cannot be shadowed,
// and taken here, at the first line, they are the browser's own even where the injector shares its world with the page.

import type { InjectorConfig } from "./config.ts";

type Getter<O, V> = (object: O) => V;

function getter<O, V>(prototype: object, name: string): Getter<O, V> {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new Error(`this browser has no ${name}`);
  const call = Function.prototype.call.bind(get) as (object: O) => V;
  return call;
}

function method<O, A extends unknown[], V>(prototype: object, name: string): (object: O, ...args: A) => V {
  const value = (prototype as Record<string, unknown>)[name] as (...args: A) => V;
  return Function.prototype.call.bind(value) as (object: O, ...args: A) => V;
}

declare const PAGEREEL_CONFIG: InjectorConfig;

/**
 * Returns a function that reads a property through the getter of an interface's prototype. In an isolated world the getter is looked up at
 * the first call, because the browser creates each interface's object only when it is first used, and that is slow. Used for interfaces
 * that few documents need.
 */
export function createLazyGetter<O, V>(interfaceOf: () => { prototype: object }, name: string): Getter<O, V> {
  if (PAGEREEL_CONFIG.transport !== "cdp") return getter(interfaceOf().prototype, name);
  let found: Getter<O, V> | null = null;
  return (object) => {
    found ??= getter<O, V>(interfaceOf().prototype, name);
    return found(object);
  };
}

/** Returns a function that calls a method of an interface's prototype. The method is looked up as late as {@link createLazyGetter} does it. */
export function createLazyMethod<O, A extends unknown[], V>(
  interfaceOf: () => { prototype: object },
  name: string,
): (object: O, ...args: A) => V {
  if (PAGEREEL_CONFIG.transport !== "cdp") return method(interfaceOf().prototype, name);
  let found: ((object: O, ...args: A) => V) | null = null;
  return (object, ...args) => {
    found ??= method<O, A, V>(interfaceOf().prototype, name);
    return found(object, ...args);
  };
}

/** Returns a function that tells whether the browser supports a selector. The first call tests it; later calls return the same answer. */
export function supportsSelector(selector: string): () => boolean {
  let answer: boolean | null = null;
  return () => {
    if (answer === null) {
      try {
        document.createDocumentFragment().querySelector(selector);
        answer = true;
      } catch {
        answer = false;
      }
    }
    return answer;
  };
}

export const nodeType = getter<Node, number>(Node.prototype, "nodeType");
export const parentNode = getter<Node, Node | null>(Node.prototype, "parentNode");
export const firstChild = getter<Node, Node | null>(Node.prototype, "firstChild");
export const nextSibling = getter<Node, Node | null>(Node.prototype, "nextSibling");
export const previousSibling = getter<Node, Node | null>(Node.prototype, "previousSibling");
export const isConnected = getter<Node, boolean>(Node.prototype, "isConnected");
export const baseURI = createLazyGetter<Node, string>(() => Node, "baseURI");
export const boundingRectOf = createLazyMethod<Element, [], DOMRect>(() => Element, "getBoundingClientRect");
export const textContent = getter<Node, string | null>(Node.prototype, "textContent");
export const getCharacterData = getter<CharacterData, string>(CharacterData.prototype, "data");
export const characterDataLength = getter<CharacterData, number>(CharacterData.prototype, "length");
export const localName = getter<Element, string>(Element.prototype, "localName");
export const namespaceURI = getter<Element, string | null>(Element.prototype, "namespaceURI");
export const elementAttributes = getter<Element, NamedNodeMap>(Element.prototype, "attributes");
const openRoot = getter<Element, ShadowRoot | null>(Element.prototype, "shadowRoot");
let closedRoots: WeakMap<Element, ShadowRoot> | null = null;

/** Returns an element's shadow root; a closed one only if the recorder has passed it to {@link rememberClosedRoot}. */
export const shadowRoot = (element: Element): ShadowRoot | null =>
  openRoot(element) ?? closedRoots?.get(element) ?? null;

/** Stores the closed shadow root of an element. Scripts cannot read closed roots, so the recorder passes them in over CDP. */
export function rememberClosedRoot(host: Element, root: ShadowRoot): void {
  closedRoots ??= new WeakMap();
  closedRoots.set(host, root);
}

export const scrollLeft = getter<Element, number>(Element.prototype, "scrollLeft");
export const scrollTop = getter<Element, number>(Element.prototype, "scrollTop");
export const getAttribute = method<Element, [string], string | null>(Element.prototype, "getAttribute");
export const hasAttribute = method<Element, [string], boolean>(Element.prototype, "hasAttribute");
export const hasAttributes = method<Element, [], boolean>(Element.prototype, "hasAttributes");
export const attributeNames = method<Element, [], string[]>(Element.prototype, "getAttributeNames");
export const matches = method<Element, [string], boolean>(Element.prototype, "matches");
export const closest = method<Element, [string], Element | null>(Element.prototype, "closest");
export const templateContent = createLazyGetter<HTMLTemplateElement, DocumentFragment>(
  () => HTMLTemplateElement,
  "content",
);
export const documentElement = getter<Document, Element | null>(Document.prototype, "documentElement");
export const scrollingElement = getter<Document, Element | null>(Document.prototype, "scrollingElement");
export const activeElement = getter<DocumentOrShadowRoot, Element | null>(Document.prototype, "activeElement");
export const shadowActiveElement = createLazyGetter<ShadowRoot, Element | null>(() => ShadowRoot, "activeElement");
export const compatMode = getter<Document, string>(Document.prototype, "compatMode");
export const namespacedAttribute = method<Element, [string, string], Attr | null>(
  Element.prototype,
  "getAttributeNodeNS",
);
export const hasFocus = method<Document, [], boolean>(Document.prototype, "hasFocus");
export const getSelection = method<Document, [], Selection | null>(Document.prototype, "getSelection");
export const createTreeWalker = method<Document, [Node, number], TreeWalker>(Document.prototype, "createTreeWalker");
const documentAnimations = method<Document, [], Animation[]>(Document.prototype, "getAnimations");
export const addListener = method<EventTarget, Parameters<EventTarget["addEventListener"]>, void>(
  EventTarget.prototype,
  "addEventListener",
);
export const title = createLazyGetter<Document, string>(() => Document, "title");
export const referrer = createLazyGetter<Document, string>(() => Document, "referrer");
export const readyState = createLazyGetter<Document, string>(() => Document, "readyState");
export const visibilityState = createLazyGetter<Document, string>(() => Document, "visibilityState");
export const fullscreenElement = createLazyGetter<Document, Element | null>(() => Document, "fullscreenElement");
export const getDocumentFonts = createLazyGetter<Document, FontFaceSet>(() => Document, "fonts");
const documentAdopted = getter<Document, CSSStyleSheet[]>(Document.prototype, "adoptedStyleSheets");

const documentSheets = getter<Document, StyleSheetList>(Document.prototype, "styleSheets");
const shadowSheets = createLazyGetter<ShadowRoot, StyleSheetList>(() => ShadowRoot, "styleSheets");

/**
 * Returns width and height of the layout viewport in CSS px, to which style sheets refer. `innerWidth` differs from it: on a phone it is
 * the width of a page that is zoomed out completely, and elsewhere it includes the scroll bars.
 */
export function getLayoutViewportSize(window: Window): [width: number, height: number] {
  const { innerWidth, innerHeight, document } = window;
  const root = scrollingElement(document);
  if (!root || !window.matchMedia(`(max-width:${innerWidth - 1}px)`).matches) return [innerWidth, innerHeight];
  return [root.clientWidth, root.clientHeight];
}

export const HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const MATHML = "http://www.w3.org/1998/Math/MathML";

export const ELEMENT_NODE = 1;
export const TEXT_NODE = 3;
export const CDATA_NODE = 4;
export const PROCESSING_INSTRUCTION_NODE = 7;
export const COMMENT_NODE = 8;
export const DOCUMENT_NODE = 9;
export const DOCTYPE_NODE = 10;

/** Returns an element's tag as the reel format writes it: the local name for HTML, else the namespace, a bar, and the name. */
export function getRecordedTag(element: Element, name: string): string {
  const namespace = namespaceURI(element);
  if (namespace === HTML_NAMESPACE) return name.includes("|") ? `html|${name}` : name;
  if (namespace === SVG_NAMESPACE) return `svg|${name}`;
  if (namespace === MATHML) return `math|${name}`;
  return `${namespace ?? ""}|${name}`;
}

/** Returns whether an element is in the HTML namespace and has this local name. */
export function isHtmlElementNamed(element: Element, name: string): boolean {
  return localName(element) === name && namespaceURI(element) === HTML_NAMESPACE;
}

/** Returns the style sheets of the `<style>` and `<link>` elements in a document or shadow root. */
export function styleSheetsOf(root: Document | ShadowRoot): StyleSheetList {
  return nodeType(root) === DOCUMENT_NODE ? documentSheets(root as Document) : shadowSheets(root as ShadowRoot);
}

export function adoptedSheetsOf(root: DocumentOrShadowRoot): readonly CSSStyleSheet[] {
  return nodeType(root as Document) === DOCUMENT_NODE ? documentAdopted(root as Document) : root.adoptedStyleSheets;
}

export function animationsOf(root: Document | ShadowRoot): Animation[] {
  return nodeType(root) === DOCUMENT_NODE ? documentAnimations(root as Document) : root.getAnimations();
}
