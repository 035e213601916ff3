// What a checkpoint sees beside the tree: what stands where in the viewport, how it is styled, which pictures, videos and canvases are there.
// It is a sample, and taken when the page is calm: the layout is clean then, and reading it costs little (docs/format.md, "Looks").

import {
  activeElement,
  animationsOf,
  documentElement,
  ELEMENT_NODE,
  getDocumentFonts,
  getSelection,
  createLazyGetter,
  createLazyMethod,
  getLayoutViewportSize,
  localName,
  matches,
  nodeType,
  parentNode,
  boundingRectOf,
  scrollLeft,
  scrollTop,
  shadowActiveElement,
  shadowRoot,
  getRecordedTag,
} from "../dom.ts";
import type { MaskedFields } from "../policy.ts";
import { roundToHundredth } from "../rounding.ts";
import { isViewTransitionEffect } from "./animations.ts";
import type { CanvasContents } from "./canvas.ts";
import { getMediaPosition } from "./media.ts";

/** Elements that are told, that are looked at for it, children of one that are; and ms. Hit tests would take longer than all of it. */
const MOST = { told: 120, visited: 1200, children: 64, ms: 12 };

/** The computed values of a row, in their order. `reel/layout_samples.py` and the player's check have the same list. */
const STYLE =
  "display visibility opacity color background-color font-size font-weight font-style line-height letter-spacing text-align text-transform text-decoration-line border-top-width border-right-width border-bottom-width border-left-width border-top-color outline-style outline-width position object-fit".split(
    " ",
  );
/** What else is told of an element, by its place here; `reel/layout_samples.py` has the same list. */
const PARTS = ["::before", "::after", "::marker", "::placeholder", "::selection", "::view-transition"] as const;
const CLEAR = "rgba(0, 0, 0, 0)";
const MEDIA = new Set(["img", "video", "canvas"]);

const childrenOf = createLazyGetter<Element, HTMLCollection>(() => Element, "children");
const childrenIn = createLazyGetter<ShadowRoot, HTMLCollection>(() => DocumentFragment, "children");
const valueIn = createLazyMethod<CSSStyleDeclaration, [string], string>(() => CSSStyleDeclaration, "getPropertyValue");
const computed = globalThis.getComputedStyle;

export interface LayoutSample {
  /** Width and height of the viewport, scroll offsets: CSS px. */
  view: number[];
  /** Elements around those that are seen and that are scrolled: id, x, y. */
  scroll: number[][];
  /** Computed values, joined by `;`. */
  styles: string[];
  /** Id, number of the style, and x, y, w, h of the part that is in the viewport. */
  boxes: number[][];
  /** Id, place among {@link PARTS}, and number of the style: what is drawn beside or within an element that is told. */
  parts: number[][];
  /** Id, natural width and height, and whether something shows: 1, 0; -1: it cannot be read; 2: it could not be read at this mark. */
  media: number[][];
  /** Id of a video that stands, and the second at which it does. */
  films: number[][];
}

export class LayoutSampler {
  constructor(
    private readonly window: Window,
    private readonly document: Document,
    private readonly idOf: (node: Node) => number,
    private readonly canvases: CanvasContents,
    /** What the pointer is over, the innermost first. */
    private readonly hovered: () => Iterable<Element>,
    /** Where texts are masked in the page, the replay has others of other lengths: no geometry. */
    private readonly masks: MaskedFields,
    private readonly now: () => number,
  ) {}

  /** null: nothing shows, or the browser would not tell. */
  take(): LayoutSample | null {
    try {
      return this.look();
    } catch {
      return null;
    }
  }

  private look(): LayoutSample | null {
    const { window, document } = this;
    const [w, h] = getLayoutViewportSize(window);
    if (w < 8 || h < 8) return null;
    const until = this.now() + MOST.ms;
    const look: LayoutSample = {
      view: [w, h, roundToHundredth(window.scrollX), roundToHundredth(window.scrollY)],
      scroll: [],
      styles: [],
      boxes: [],
      parts: [],
      media: [],
      films: [],
    };
    const { moving, blends } = this.moving();
    const found = new Set<Element>();
    const known = new Map<Element, boolean>();
    const rows = new Map<string, number>();
    const loaded = this.loaded();

    /** Whether the element moves by itself; tells of what is scrolled around it. */
    const moves = (element: Element): boolean => {
      const way: Element[] = [];
      let result = false;
      for (let at: Element | null = element; at; at = around(at)) {
        const before = known.get(at);
        if (before !== undefined) {
          result = before;
          break;
        }
        way.push(at);
      }
      for (let at = way.pop(); at; at = way.pop()) {
        result ||= moving.has(at);
        known.set(at, result);
        if (localName(at) === "html" || localName(at) === "body") continue;
        const [x, y, id] = [scrollLeft(at), scrollTop(at), this.idOf(at)];
        if ((x !== 0 || y !== 0) && id !== 0) look.scroll.push([id, roundToHundredth(x), roundToHundredth(y)]);
      }
      return result;
    };
    const fontOf = (list: string): number =>
      loaded.size ? list.split(",").findIndex((name) => loaded.has(plain(name))) : -1;
    const row = (style: CSSStyleDeclaration): number => {
      const values = STYLE.map((name) =>
        valueIn(style, name)
          .replaceAll(", ", ",")
          .replace(/[^\w .,()%#/+-]/g, "?"),
      );
      const image = valueIn(style, "background-image");
      values.push(image === "none" ? image : image.includes("url(") ? "image" : "gradient");
      values.push(valueIn(style, "box-shadow") === "none" ? "none" : "shadow");
      values.push(String(fontOf(valueIn(style, "font-family"))));
      const row = values.join(";");
      let number = rows.get(row);
      if (number === undefined) {
        number = look.styles.push(row) - 1;
        rows.set(row, number);
      }
      return number;
    };
    const { anchorNode: from, isCollapsed } = getSelection(document) ?? {};
    const selected = isCollapsed
      ? activeElement(document)
      : from && (nodeType(from) === ELEMENT_NODE ? from : parentNode(from));
    const see = (element: Element): void => {
      if (found.has(element) || found.size >= MOST.told || this.now() > until) return;
      found.add(element);
      const id = this.idOf(element);
      if (id === 0 || moves(element)) return;
      const { left, top, right, bottom } = boundingRectOf(element);
      const x = Math.round(Math.max(0, left));
      const y = Math.round(Math.max(0, top));
      const box = [x, y, Math.round(Math.min(w, right)) - x, Math.round(Math.min(h, bottom)) - y];
      if ((box[2] as number) <= 0 || (box[3] as number) <= 0) return;
      const style = computed.call(window, element);
      const number = row(style);
      look.boxes.push(this.masks.any ? [id, number] : [id, number, ...box]);
      const may = [
        true,
        true,
        valueIn(style, "display") === "list-item",
        matches(element, ":placeholder-shown"),
        element === selected,
        element === blends,
      ];
      for (const [at, part] of PARTS.entries()) {
        if (!may[at]) continue;
        const own = computed.call(window, element, part);
        // Where the page says nothing of what is selected, it has the browser's colours, which no script reads.
        const none =
          at < 2
            ? valueIn(own, "content") === "none"
            : at === 4 &&
              valueIn(own, "background-color") === CLEAR &&
              valueIn(own, "color") === valueIn(style, "color");
        if (!none) look.parts.push([id, at, row(own)]);
      }
      const name = getRecordedTag(element, localName(element));
      if (name === "img") {
        const { naturalWidth, naturalHeight, complete } = element as HTMLImageElement;
        look.media.push([id, naturalWidth, naturalHeight, Number(complete && naturalWidth > 0)]);
      } else if (name === "video") {
        const { videoWidth, videoHeight, readyState, paused, seeking } = element as HTMLVideoElement;
        look.media.push([id, videoWidth, videoHeight, Number(readyState > 1)]);
        if (readyState > 1 && paused && !seeking) look.films.push([id, getMediaPosition(element as HTMLVideoElement)]);
      } else if (name === "canvas") {
        const { width, height } = element as HTMLCanvasElement;
        look.media.push([id, width, height, this.canvases.shown(id)]);
      }
    };

    let focused: Element | null = activeElement(document);
    while (focused) {
      see(focused);
      const root: ShadowRoot | null = shadowRoot(focused);
      focused = root && shadowActiveElement(root);
    }
    for (const element of this.hovered()) see(element);
    for (const canvas of this.canvases.elements()) see(canvas);
    const shown = this.shown(w, h, until - MOST.ms / 2);
    for (const element of shown) if (MEDIA.has(localName(element))) see(element);
    // Where the time is up, what was looked at still lies all over the page.
    const every = Math.max(1, Math.ceil(shown.length / MOST.told));
    for (let from = 0; from < every; from++)
      for (let at = from; at < shown.length; at += every) see(shown[at] as Element);
    return look;
  }

  /** Elements in the viewport, those further out first. What is outside of an element's box is not looked for. */
  private shown(w: number, h: number, until: number): Element[] {
    const shown: Element[] = [];
    const root = documentElement(this.document);
    const queue = root ? [root] : [];
    for (let at = 0; at < queue.length && at < MOST.visited && this.now() < until; at++) {
      const element = queue[at] as Element;
      const box = boundingRectOf(element);
      const empty = box.width === 0 || box.height === 0;
      if (isIn(box, w, h)) shown.push(element);
      else if (!empty && at > 1) continue;
      const shadow = shadowRoot(element);
      const children = childrenOf(element);
      if (!shadow && children.length === 0) continue;
      // What is not displayed has no boxes, and what is not painted would be laid out only for us to see.
      const style = computed.call(this.window, element);
      if (valueIn(style, "display") === "none" || valueIn(style, "content-visibility") === "hidden") continue;
      if (shadow) near(childrenIn(shadow), h, queue);
      near(children, h, queue);
    }
    return shown;
  }

  /** What animations move: where it is depends on the instant. `blends`: what a view transition goes on over. */
  private moving(): { moving: Set<Element>; blends: Element | null } {
    const moving = new Set<Element>();
    let blends: Element | null = null;
    for (const { effect, playState } of animationsOf(this.document)) {
      const { target } = (effect ?? {}) as KeyframeEffect;
      if (!target) continue;
      if (isViewTransitionEffect(effect as KeyframeEffect)) blends = target;
      else if (playState === "running") moving.add(target);
    }
    return { moving, blends };
  }

  /** Families of which a font has been loaded. */
  private loaded(): Set<string> {
    const fonts = [...getDocumentFonts(this.document)].filter(({ status }) => status === "loaded");
    return new Set(fonts.map(({ family }) => plain(family)));
  }
}

function isIn(box: DOMRect, w: number, h: number): boolean {
  return box.right > 0 && box.bottom > 0 && box.left < w && box.top < h && box.width > 0 && box.height > 0;
}

/** Adds children; of many the first and last, and those that are about in the viewport, as if they stood in the order of their places. */
function near(children: HTMLCollection, h: number, queue: Element[]): void {
  const count = children.length;
  let from = 0;
  if (count > MOST.children) {
    let to = count;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (boundingRectOf(children[middle] as Element).bottom > 0) to = middle;
      else from = middle + 1;
    }
    for (const edge of [0, 1, 2, 3, count - 4, count - 3, count - 2, count - 1])
      if (edge < from || edge >= from + MOST.children) queue.push(children[edge] as Element);
  }
  for (let at = from; at < count && at < from + MOST.children; at++) {
    const child = children[at] as Element;
    if (count > MOST.children && boundingRectOf(child).top > h) break;
    queue.push(child);
  }
}

function around(element: Element): Element | null {
  const parent = parentNode(element);
  if (!parent) return null;
  return nodeType(parent) === ELEMENT_NODE ? (parent as Element) : ((parent as ShadowRoot).host ?? null);
}

function plain(family: string): string {
  return family
    .trim()
    .replace(/^["']|["']$/g, "")
    .toLowerCase();
}
