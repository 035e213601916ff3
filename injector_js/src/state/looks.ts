// What a checkpoint sees beside the tree: what stands where in the viewport, how it is styled, which pictures, videos and canvases are there.
// It is a sample, and taken when the page is calm: the layout is clean then, and reading it costs little (docs/format.md, "Looks").

import {
  activeElement,
  ELEMENT,
  lateGetter,
  lateMethod,
  localName,
  nodeType,
  parentNode,
  scrollLeft,
  scrollTop,
  shadowActiveElement,
  shadowRoot,
  tagOf,
} from "../dom.ts";
import type { Masks } from "../policy.ts";
import type { Canvases } from "./canvas.ts";

/** Points across and down at which the page is looked at, elements and animations at most, and ms. */
const MOST = { across: 12, down: 9, elements: 120, moving: 200, ms: 8 };

/** The computed values of a row, in their order. `reel/looks.py` and the player's check have the same list. */
const STYLE =
  "display visibility opacity color background-color font-size font-weight font-style line-height letter-spacing text-align text-transform text-decoration-line border-top-width border-right-width border-bottom-width border-left-width border-top-color outline-style outline-width position object-fit".split(
    " ",
  );
const MEDIA = new Set(["img", "video", "canvas", "svg|image", "input"]);

const rectOf = lateMethod<Element, [], DOMRect>(() => Element, "getBoundingClientRect");
const inDocument = lateMethod<Document, [number, number], Element[]>(() => Document, "elementsFromPoint");
const inRoot = lateMethod<ShadowRoot, [number, number], Element[]>(() => ShadowRoot, "elementsFromPoint");
const valueIn = lateMethod<CSSStyleDeclaration, [string], string>(() => CSSStyleDeclaration, "getPropertyValue");
const animationsOf = lateMethod<Document, [], Animation[]>(() => Document, "getAnimations");
const fontsOf = lateGetter<Document, FontFaceSet>(() => Document, "fonts");
const computed = globalThis.getComputedStyle;

export interface Look {
  /** Width and height of the viewport, scroll offsets: CSS px. */
  view: number[];
  /** Elements around those that are seen and that are scrolled: id, x, y. */
  scroll: number[][];
  /** Computed values, joined by `;`. */
  styles: string[];
  /** Id, number of the style, and x, y, w, h of the part that is in the viewport. */
  boxes: number[][];
  /** Id, natural width and height, and whether something shows: 1, 0; -1: it cannot be read. */
  media: number[][];
}

export class Looks {
  constructor(
    private readonly window: Window,
    private readonly document: Document,
    private readonly idOf: (node: Node) => number,
    private readonly canvases: Canvases,
    /** Where texts are masked in the page, the replay has others of other lengths: no geometry. */
    private readonly masks: Masks,
    private readonly now: () => number,
  ) {}

  /** null: nothing shows, or the browser would not tell. */
  take(): Look | null {
    try {
      return this.look();
    } catch {
      return null;
    }
  }

  private look(): Look | null {
    const { window, document } = this;
    const { innerWidth: w, innerHeight: h } = window;
    if (w < 8 || h < 8) return null;
    const until = this.now() + MOST.ms;
    const look: Look = {
      view: [w, h, round(window.scrollX), round(window.scrollY)],
      scroll: [],
      styles: [],
      boxes: [],
      media: [],
    };
    const moving = this.moving();
    const found = new Set<Element>();
    const known = new Map<Element, boolean>();
    const rows = new Map<string, number>();
    const families = new Map<string, number>();
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
        if ((x !== 0 || y !== 0) && id !== 0) look.scroll.push([id, round(x), round(y)]);
      }
      return result;
    };
    const fontOf = (list: string): number => {
      let first = families.get(list);
      if (first === undefined) {
        first = loaded.size ? list.split(",").findIndex((name) => loaded.has(plain(name))) : -1;
        families.set(list, first);
      }
      return first;
    };
    const see = (element: Element): void => {
      if (found.has(element) || found.size >= MOST.elements) return;
      found.add(element);
      const id = this.idOf(element);
      if (id === 0 || moves(element)) return;
      const { left, top, right, bottom } = rectOf(element);
      const x = Math.round(Math.max(0, left));
      const y = Math.round(Math.max(0, top));
      const box = [x, y, Math.round(Math.min(w, right)) - x, Math.round(Math.min(h, bottom)) - y];
      if ((box[2] as number) <= 0 || (box[3] as number) <= 0) return;
      const style = computed.call(window, element);
      const values = STYLE.map((name) => valueIn(style, name).replaceAll(", ", ",").replace(/[^\w .,()%#/+-]/g, "?"));
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
      look.boxes.push(this.masks.any ? [id, number] : [id, number, ...box]);
      const name = tagOf(element, localName(element));
      if (name === "img") {
        const { naturalWidth, naturalHeight, complete } = element as HTMLImageElement;
        look.media.push([id, naturalWidth, naturalHeight, Number(complete && naturalWidth > 0)]);
      } else if (name === "video") {
        const { videoWidth, videoHeight, readyState } = element as HTMLVideoElement;
        look.media.push([id, videoWidth, videoHeight, Number(readyState > 1)]);
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
    for (const canvas of this.canvases.elements()) see(canvas);
    // Every other row first: where the time is up, what was looked at still lies all over the page.
    const turns = [...Array(MOST.down).keys()].sort((a, b) => (a % 2) - (b % 2));
    for (const j of turns) {
      if (this.now() > until) break;
      for (let i = 0; i < MOST.across; i++)
        this.at(((i + 0.5) / MOST.across) * w, ((j + 0.5) / MOST.down) * h, see);
    }
    return look;
  }

  /** Looks at what lies under a point: what is on top, with what is around it, and pictures below. */
  private at(x: number, y: number, see: (element: Element) => void): void {
    let list = inDocument(this.document, x, y);
    for (let depth = 0; depth < 16; depth++) {
      const [top] = list;
      list.forEach((element, index) => {
        if (index < 3 || MEDIA.has(localName(element))) see(element);
      });
      const root = top && shadowRoot(top);
      if (!root) break;
      list = inRoot(root, x, y);
      if (!list.length || list[0] === top) break;
    }
  }

  /** What animations move: where it is depends on the instant. */
  private moving(): Set<Element> {
    const targets = new Set<Element>();
    for (const animation of animationsOf(this.document)) {
      const { target } = (animation.effect ?? {}) as KeyframeEffect;
      if (animation.playState === "running" && target) targets.add(target);
      if (targets.size >= MOST.moving) break;
    }
    return targets;
  }

  /** Families of which a font has been loaded. */
  private loaded(): Set<string> {
    const families = new Set<string>();
    const fonts = fontsOf(this.document);
    if (fonts.size)
      fonts.forEach((font) => {
        if (font.status === "loaded") families.add(plain(font.family));
      });
    return families;
  }
}

function around(element: Element): Element | null {
  const parent = parentNode(element);
  if (!parent) return null;
  return nodeType(parent) === ELEMENT ? (parent as Element) : ((parent as ShadowRoot).host ?? null);
}

function plain(family: string): string {
  return family.trim().replace(/^["']|["']$/g, "").toLowerCase();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
