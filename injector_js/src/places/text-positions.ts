// Where in the viewport what can be read stands, at the moment of a picture: the redaction paints boxes there (docs/redaction.md). What this
// cannot be sure of makes the whole picture unsafe: an omission would show what the rest of a recording hides.

import {
  animationsOf,
  getCharacterData,
  ELEMENT_NODE,
  firstChild,
  getAttribute,
  HTML_NAMESPACE,
  getLayoutViewportSize,
  localName,
  namespaceURI,
  nextSibling,
  nodeType,
  parentNode,
  SVG_NAMESPACE,
  TEXT_NODE,
} from "../dom.ts";
import type { MaskedFields } from "../policy.ts";

/** Elements that are looked at; nodes and rectangles that are told. */
const MOST = { elements: 10_000, nodes: 5_000, numbers: 40_000 };
/** Types whose documents hold all that they show; a PDF's, an XML file's or a picture's do not. */
const READABLE = new Set(["text/html", "application/xhtml+xml", "text/plain"]);
const TEXTLESS = new Set(["checkbox", "radio", "range", "color", "hidden"]);
const SHOWN = new Set(
  "textarea select img canvas video object embed iframe frame fencedframe portal webview".split(" "),
);
/** What draws text in other places than its own. */
const COPIES = new Set(["pattern", "marker", "mask", "clipPath", "feImage"]);
const DRAWN = "text, foreignObject, image, use, feImage";
/** Styles of counters and lists that are the browser's own. */
const COUNTED =
  /^(?:none|disc|circle|square|decimal|decimal-leading-zero|disclosure-(?:open|closed)|(?:lower|upper)-(?:alpha|latin|roman))$/;
const LETTERS = /[\p{L}\p{N}]/u;
/** Properties that may be animated while a picture is taken: nothing moves by them, and nothing appears. */
const STILL =
  /^(?:offset|computedOffset|easing|composite|opacity|color|fill|stroke|strokeDash(?:offset|array)|boxShadow|background(?:Color|Position[XY]?)|(?:border\w*|outline|caret)Color)$/;

interface Clip {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The positions of readable text and of iframes in a document's viewport of `w` by `h` CSS px. */
export interface ViewportTextPositions {
  w: number;
  h: number;
  /** Of each node: its id (0: not recorded), 1 if it is never to be shown, and its rectangles: x, y, w, h, whole px, grown outwards. */
  items: number[][];
  /** Of each iframe that lies straight: its id, and x, y, w, h of what it shows. */
  frames: number[][];
}

class Unsure extends Error {}

/** The injector's state that {@link readTextPositions} needs: it runs as a script of its own, which is added later and has no state. */
export interface InjectorState {
  readonly window: Window & typeof globalThis;
  readonly document: Document;
  readonly masks: MaskedFields;
  idOf(node: Node): number;
  /** The element's shadow root; a closed one as far as it was found. */
  shadowRoot(element: Element): ShadowRoot | null;
}

/** A function that returns the positions of readable text in the viewport. Throws if it cannot determine them for certain. */
export type ReadTextPositions = (known: InjectorState) => ViewportTextPositions;

/** Returns the positions of readable text in the viewport. Throws if it cannot determine them for certain. */
export const readTextPositions: ReadTextPositions = (known) => new Looker(known).look();

class Looker {
  private readonly items: number[][] = [];
  private readonly frames: number[][] = [];
  private readonly range: Range;
  private readonly view: Clip;
  private elements = 0;
  private numbers = 0;

  private readonly window: Window & typeof globalThis;
  private readonly document: Document;
  private readonly masks: MaskedFields;

  constructor(private readonly known: InjectorState) {
    const { window, document, masks } = known;
    this.window = window;
    this.document = document;
    this.masks = masks;
    this.range = document.createRange();
    const [right, bottom] = getLayoutViewportSize(window);
    this.view = { left: 0, top: 0, right, bottom };
  }

  look(): ViewportTextPositions {
    if (!READABLE.has(this.document.contentType)) throw new Unsure("a viewer of the browser's own");
    if ((this.window.visualViewport?.scale ?? 1) !== 1) throw new Unsure("zoomed");
    this.animated(this.document);
    const stack: [node: Node, clip: Clip, style: CSSStyleDeclaration | null][] = [[this.document, this.view, null]];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const [node, clip, style] = next;
      let below = clip;
      let inner = style;
      if (nodeType(node) === TEXT_NODE) {
        this.text(node as Text, clip, style);
        continue;
      }
      if (nodeType(node) === ELEMENT_NODE) {
        const element = node as Element;
        if (++this.elements > MOST.elements) throw new Unsure("too many elements");
        inner = this.window.getComputedStyle(element);
        if (inner.display === "none") continue;
        below = this.element(element, clip, inner);
        const root = this.known.shadowRoot(element);
        if (root) {
          this.animated(root);
          stack.push([root, below, inner]);
          // What is slotted may lie in a box of the root's that the host does not clip, and text in it is styled by the slot.
          below = this.view;
          inner = null;
        }
      }
      for (let child = firstChild(node); child; child = nextSibling(child)) stack.push([child, below, inner]);
    }
    return { w: this.view.right, h: this.view.bottom, items: this.items, frames: this.frames };
  }

  /** Tells of an element; gives what its children are clipped to. */
  private element(element: Element, around: Clip, style: CSSStyleDeclaration): Clip {
    const name = localName(element);
    const html = namespaceURI(element) === HTML_NAMESPACE;
    const out = style.position === "fixed" || style.position === "absolute";
    const clip = out ? this.view : around;
    if (/drop-shadow|url\(/.test(style.filter)) throw new Unsure("a filter copies");
    if (!/^(?:none)?$/.test(style.getPropertyValue("-webkit-box-reflect"))) throw new Unsure("a reflection");
    if (html && name === "marquee") throw new Unsure("a marquee");
    this.pseudo(element, style, clip);
    if (drawsText(style.backgroundImage)) this.add(0, true, [element.getBoundingClientRect()], clip, 0);
    if (namespaceURI(element) === SVG_NAMESPACE) this.drawing(element, name, clip);
    else if (html && (SHOWN.has(name) || name === "input") && style.visibility === "visible") {
      this.shown(element as HTMLElement, name, clip);
    }
    return this.clipped(element, name, clip, style);
  }

  private shown(element: HTMLElement, name: string, clip: Clip): void {
    const id = this.known.idOf(element);
    let hidden = name === "video" || name === "object" || name === "embed";
    if (name === "input") {
      const type = (element as HTMLInputElement).type;
      if (TEXTLESS.has(type)) return;
      hidden = type === "image";
    }
    if (name === "input" || name === "textarea" || name === "select") hidden ||= this.masks.reason(element) !== null;
    if (name === "img") {
      const img = element as HTMLImageElement;
      hidden = !img.complete || img.naturalWidth === 0;
    }
    this.add(id, hidden, [element.getBoundingClientRect()], clip, 0);
    if ((name === "iframe" || name === "frame") && this.straight(element)) {
      const box = element.getBoundingClientRect();
      const style = this.window.getComputedStyle(element);
      const left = Number.parseFloat(style.paddingLeft);
      const top = Number.parseFloat(style.paddingTop);
      const w = element.clientWidth - left - Number.parseFloat(style.paddingRight);
      const h = element.clientHeight - top - Number.parseFloat(style.paddingBottom);
      this.frames.push([id, box.left + element.clientLeft + left, box.top + element.clientTop + top, w, h]);
    }
  }

  private drawing(element: Element, name: string, clip: Clip): void {
    if (COPIES.has(name)) {
      if (name === "feImage" || element.querySelector(DRAWN)) throw new Unsure("text that a drawing copies");
    } else if (name === "image") this.add(0, true, [element.getBoundingClientRect()], clip, 0);
    else if (name === "use") {
      const address = getAttribute(element, "href") ?? getAttribute(element, "xlink:href") ?? "";
      const root = element.getRootNode() as Document | ShadowRoot;
      const target = address.startsWith("#") ? root.getElementById?.(address.slice(1)) : null;
      if (target && !target.matches(DRAWN) && !target.querySelector(DRAWN)) return;
      this.add(0, true, [element.getBoundingClientRect()], clip, 0);
    }
  }

  /** Text that a style sheet writes. Its box is not to be had: where it is part of its element's, that is told. */
  private pseudo(element: Element, style: CSSStyleDeclaration, clip: Clip): void {
    for (const which of ["::before", "::after"]) {
      const own = this.window.getComputedStyle(element, which);
      if (!written(own) || own.display === "none" || own.visibility !== "visible" || own.opacity === "0") continue;
      if (own.position !== "static" || own.float !== "none" || own.transform !== "none")
        throw new Unsure("written text");
      if (style.display === "contents") throw new Unsure("written text");
      if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth) throw new Unsure("written text");
      this.add(this.known.idOf(element), true, element.getClientRects(), clip, extent(own));
    }
    if (!/^(?:none)?$/.test(style.getPropertyValue("scroll-marker-group"))) throw new Unsure("scroll markers");
    if (!style.display.includes("list-item") || style.visibility !== "visible") return;
    const marker = this.window.getComputedStyle(element, "::marker");
    const named =
      !COUNTED.test(style.listStyleType) && (!style.listStyleType.startsWith('"') || LETTERS.test(style.listStyleType));
    if (named || written(marker)) throw new Unsure("a marker");
  }

  private text(node: Text, clip: Clip, style: CSSStyleDeclaration | null): void {
    if ((style && style.visibility !== "visible") || !/\S/.test(getCharacterData(node))) return;
    const parent = parentNode(node);
    if (parent && nodeType(parent) === ELEMENT_NODE && localName(parent as Element) === "textarea") return;
    this.range.selectNodeContents(node);
    const hidden = this.masks.any && this.masks.coversText(node);
    this.add(this.known.idOf(node), hidden, this.range.getClientRects(), clip, extent(style));
  }

  private add(id: number, hidden: boolean, rects: Iterable<DOMRect>, clip: Clip, more: number): void {
    const item = [id, hidden || id === 0 ? 1 : 0];
    for (const rect of rects) {
      if (rect.width === 0 && rect.height === 0) continue;
      const left = Math.floor(Math.max(rect.left - more, clip.left));
      const top = Math.floor(Math.max(rect.top - more, clip.top));
      const right = Math.ceil(Math.min(rect.right + more, clip.right));
      const bottom = Math.ceil(Math.min(rect.bottom + more, clip.bottom));
      if (right > left && bottom > top) item.push(left, top, right - left, bottom - top);
    }
    if (item.length === 2) return;
    this.numbers += item.length;
    if (this.items.push(item) > MOST.nodes || this.numbers > MOST.numbers) throw new Unsure("too much text");
  }

  /** Only what certainly clips counts: a smaller clip would leave out what shows. */
  private clipped(element: Element, name: string, clip: Clip, style: CSSStyleDeclaration): Clip {
    if (name === "html" || name === "body" || namespaceURI(element) !== HTML_NAMESPACE) return clip;
    if (!/^(?:hidden|auto|scroll)$/.test(style.overflowX) || !/^(?:hidden|auto|scroll)$/.test(style.overflowY))
      return clip;
    if (!/^(?:inline-)?(?:block|flex|grid)$|^flow-root$/.test(style.display)) return clip;
    const box = element.getBoundingClientRect();
    return {
      left: Math.max(clip.left, box.left),
      top: Math.max(clip.top, box.top),
      right: Math.min(clip.right, box.right),
      bottom: Math.min(clip.bottom, box.bottom),
    };
  }

  /** Whether nothing turns or scales the element, so that what is inside stands where adding up says. */
  private straight(element: Element): boolean {
    let left = 1000; // A form's field may be called "assignedSlot": no way up is endless.
    for (let up: Node | null = element; up; ) {
      if (left-- === 0) return false;
      if (nodeType(up) === ELEMENT_NODE) {
        if (namespaceURI(up as Element) !== HTML_NAMESPACE) return false;
        const style = this.window.getComputedStyle(up as Element);
        const plain = /^none$|^matrix\(1, 0, 0, 1, /.test(style.transform) && style.rotate === "none";
        const zoom = style.getPropertyValue("zoom");
        if (!plain || style.scale !== "none" || style.perspective !== "none" || (zoom !== "" && zoom !== "1"))
          return false;
        if (!/^(?:none)?$/.test(style.getPropertyValue("offset-path"))) return false;
      }
      up = (up as Element).assignedSlot ?? parentNode(up) ?? (up as ShadowRoot).host ?? null;
    }
    return true;
  }

  /** Throws where something that can be read is being moved: between two looks it may have been elsewhere. */
  private animated(root: Document | ShadowRoot): void {
    for (const animation of animationsOf(root)) {
      if (animation.playState !== "running" && !animation.pending) continue;
      const effect = animation.effect as KeyframeEffect | null;
      const target = effect?.target;
      if (!effect || !target) continue;
      if (effect.pseudoElement) {
        if (effect.pseudoElement.startsWith("::view-transition")) throw new Unsure("a view transition");
        if (written(this.window.getComputedStyle(target, effect.pseudoElement))) throw new Unsure("an animation");
        continue;
      }
      if (effect.getKeyframes().every((frame) => Object.keys(frame).every((property) => STILL.test(property))))
        continue;
      const empty =
        !LETTERS.test(target.textContent ?? "") && !this.known.shadowRoot(target) && !target.querySelector("*");
      const drawing =
        namespaceURI(target) === SVG_NAMESPACE && !target.querySelector(DRAWN) && localName(target) !== "use";
      if ((!empty || SHOWN.has(localName(target)) || localName(target) === "input") && !drawing) {
        throw new Unsure("an animation");
      }
    }
  }
}

/** Whether a pseudo-element's content has letters or digits in it. */
function written(style: CSSStyleDeclaration): boolean {
  const { content } = style;
  if (content === "none" || content === "normal" || content === "") return false;
  if (content.includes("attr(") || content.includes("var(")) return true;
  for (const [, counter] of content.matchAll(/counters?\(([^)]*)\)/g)) {
    const kind = counter?.split(",").at(-1)?.trim() ?? "";
    if (counter?.includes(",") && !COUNTED.test(kind)) return true;
  }
  const strings = content.match(/"(?:[^"\\]|\\.)*"/g)?.join(" ") ?? "";
  return LETTERS.test(strings) || (content.includes("-quote") && LETTERS.test(style.quotes.replace("auto", "")));
}

/** Whether a drawing that stands in a style sheet itself has text in it. */
function drawsText(image: string): boolean {
  for (const [, parameters, body] of image.matchAll(/url\("data:image\/svg([^,]*),([^"]*)/g)) {
    if (/base64|%25|&/i.test(`${parameters}${body}`)) return true;
    if (/(?:<|%3c)(?:[\w-]+:)?(?:text|foreignobject|image|use)\b/i.test(body ?? "")) return true;
  }
  return false;
}

/** How far letters may reach out of their line's box: shadows, outlines, and large slanted ones. */
function extent(style: CSSStyleDeclaration | null): number {
  if (!style) return 8;
  let far = Number.parseFloat(style.fontSize) / 12;
  far += Number.parseFloat(style.getPropertyValue("-webkit-text-stroke-width")) || 0;
  if (style.textShadow === "none") return far;
  return (style.textShadow.match(/-?[\d.]+px/g) ?? []).reduce((sum, px) => sum + Math.abs(Number.parseFloat(px)), far);
}
