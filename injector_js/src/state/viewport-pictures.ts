// Pixels that no script can read: canvases that hold those of another origin, and those that are on the screen and no longer in the buffer.
// The browser may take a picture of the page. The recorder is asked for one, of the whole viewport, because a clipped picture would change the
// page's emulated size for a moment; the element is cut out here.

import { getLayoutViewportSize } from "../dom.ts";
import type { CanvasPicture } from "./canvas.ts";
import { type ViewportBox, type ElementPixels, findElementPixels } from "./pixels.ts";
import { toBase64 } from "./chosen-sources.ts";
import { LOSSLESS_LIMIT_AT_MARK, encodePicture as encodedSheet, isLargePicture } from "./picture-formats.ts";

/** ms between two pictures: at least, and at most while nothing changes. */
const EVERY = 1_000;
const AT_MOST = 16_000;
/** ms after which a picture that did not come is asked for again. */
const PATIENCE = 10_000;
/** The share of an element that may be covered. */
const COVERED = 0.5;

/** The reason why the picture of an element is cut out of a picture of the page. */
export type PictureCutReason =
  /** Nobody may read it. */
  | "tainted"
  /** It shows something that its buffer has no more. */
  | "lost"
  /** Its buffer is empty, and it may well be. */
  | "empty"
  /** It is a video that nobody may read. */
  | "film";

type Edges = [number, number, number, number];
type Seen = HTMLCanvasElement | HTMLVideoElement;

interface Watched {
  readonly element: Seen;
  why: PictureCutReason;
  /** A picture is wanted, and not only at the next mark. */
  due: boolean;
  /** It was found to show nothing: that it draws will be noticed. */
  judged: boolean;
  /** How many times it was read itself. */
  reads: number;
  last: string;
  /** Where it was when the picture was asked for. */
  box: string;
  said: boolean;
}

/** The position of an iframe's viewport in the page's viewport, in CSS px: its corner, the edges of its visible part, and the page's width. */
export type ViewportPosition = readonly [
  x: number,
  y: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  w: number,
];

/** Cuts pictures of elements that no script can read out of pictures of the viewport, which the recorder takes. */
export class ViewportPictures {
  private readonly watched = new Map<number, Watched>();
  private wait = EVERY;
  private next = 0;
  private asked = Number.NEGATIVE_INFINITY;
  /** Unix ms of the last request: what the picture shows was there then. */
  private askedAt = 0;
  /** A mark waits for it. */
  private marked = false;

  constructor(
    private readonly window: Window,
    private readonly now: () => number,
    private readonly time: () => number,
    /** Asks for a picture of the viewport, which comes with {@link picture}; null where nobody can take one. */
    private readonly ask: (() => void) | null,
    /** Sends a picture; of an element whose buffer was empty it says so. */
    private readonly send: (picture: CanvasPicture) => void,
    /** Tells that an element showed at `t` (Unix ms) what was told of it last. */
    private readonly same: (id: number, t: number) => void,
    /** Tells what an element showed at `t` (Unix ms) from elsewhere, when that can be: exactly, and without what lies over it. */
    private readonly instead: (id: number, t: number) => Promise<void> | null,
    private readonly unsupported: (node: number, reason: string) => void,
  ) {}

  /** Has a picture taken of an element as soon as that may be. */
  want(id: number, element: Seen, why: PictureCutReason): void {
    const known = this.watched.get(id);
    if (known) {
      if (why === "empty" && known.judged) return;
      known.why = why;
      known.due = true;
    } else this.watched.set(id, { element, why, due: true, judged: false, reads: 0, last: "", box: "", said: false });
    this.wait = EVERY;
    this.next = Math.min(this.next, this.now() + EVERY);
  }

  /** What an element shows was read meanwhile. */
  read(id: number): void {
    const known = this.watched.get(id);
    if (!known) return;
    known.due = false;
    known.reads++;
  }

  forget(id: number): void {
    this.watched.delete(id);
  }

  clear(): void {
    this.watched.clear();
  }

  wake(): void {
    this.wait = EVERY;
    this.next = Math.min(this.next, this.now() + 100);
  }

  /** Asks for a picture when it is time and there is something to be cut out of it. */
  poll(): void {
    const now = this.now();
    if (this.watched.size === 0 || now < this.next || now - this.asked < PATIENCE) return;
    this.next = now + this.wait;
    if (this.wants()) this.ask?.();
    else this.wait = Math.min(AT_MOST, this.wait * 2);
  }

  /** Whether a picture of the viewport is wanted now: if so, it must be given. It tells of `mark`, Unix ms, or of now. */
  wants(mark?: number): boolean {
    let any = false;
    for (const [id, each] of this.watched) {
      if (!each.due) continue;
      const sight = this.ask ? findElementPixels(this.window, each.element) : null;
      each.box = sight && good(sight, each.why) ? sight.box.join() : "";
      if (each.box !== "") any = true;
      else if (!each.said && each.why !== "empty" && (!this.ask || this.isNear(each.element))) {
        each.said = true;
        this.unsupported(id, each.why);
      }
    }
    if (any) {
      this.asked = this.now();
      this.askedAt = mark ?? this.time();
      this.marked = mark !== undefined;
    }
    return any;
  }

  /** The picture that was asked for; "" when it could not be taken. */
  async picture(base64: string, place: ViewportPosition | null): Promise<void> {
    this.asked = Number.NEGATIVE_INFINITY;
    this.next = this.now() + this.wait;
    this.wait = Math.min(AT_MOST, this.wait * 2);
    if (base64 === "" || !place) return;
    const { askedAt: t, marked } = this;
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const shot = await createImageBitmap(new Blob([bytes]));
    const [dx, dy, left, top, right, bottom, width] = place;
    const scale = shot.width / width;
    for (const [id, each] of this.watched) {
      if (!each.due) continue;
      const { element } = each;
      const sight = findElementPixels(this.window, element);
      if (!sight || sight.box.join() !== each.box) continue;
      const [x, y, w, h] = within(this.window, element, sight.box);
      const box: ViewportBox = [x + dx, y + dy, w, h];
      if (box[0] < left - 1 || box[1] < top - 1 || box[0] + w > right + 1 || box[1] + h > bottom + 1) continue;
      const { reads } = each;
      if (each.why !== "tainted") each.due = false;
      const told = this.instead(id, t);
      if (told) {
        await told;
        continue;
      }
      const [sw, sh] = sizeOf(element);
      // Browsers show replaced content between whole pixels of the screen.
      const [x0, y0, x1, y1] = [box[0], box[1], box[0] + w, box[1] + h].map((v) => Math.round(v * scale)) as Edges;
      // Of a large one what was seen has fewer pixels than it.
      const share = isLargePicture({ width: sw, height: sh }) ? Math.min(1, (x1 - x0) / sw) : 1;
      const sheet = new OffscreenCanvas(Math.ceil(sw * share), Math.ceil(sh * share));
      const context = sheet.getContext("2d", { willReadFrequently: true });
      if (!context) continue;
      context.drawImage(shot, x0, y0, x1 - x0, y1 - y0, 0, 0, sheet.width, sheet.height);
      each.judged = each.why === "empty" && isOf(context, sight.behind);
      if (each.judged) continue;
      const { blob } = await encodedSheet(sheet, marked ? LOSSLESS_LIMIT_AT_MARK : undefined);
      const encoded = await toBase64(blob);
      if (this.watched.get(id) !== each) continue;
      // What was read while this was encoded is exact, and newer.
      if (encoded === each.last || each.reads !== reads) {
        if (marked) this.same(id, t);
        continue;
      }
      each.last = encoded;
      this.wait = EVERY;
      this.next = this.now() + EVERY;
      this.send({ node: id, w: sw, h: sh, mime: blob.type, base64: encoded, t });
    }
    shot.close();
  }

  /** Whether some of it is in the viewport: what nobody can see is not missed. */
  private isNear(element: Element): boolean {
    const { x, y, right, bottom, width } = element.getBoundingClientRect();
    return width > 0 && right > 0 && bottom > 0 && x < this.window.innerWidth && y < this.window.innerHeight;
  }
}

function sizeOf(element: Seen): [w: number, h: number] {
  return "videoWidth" in element ? [element.videoWidth, element.videoHeight] : [element.width, element.height];
}

/** Where in its content box the pixels of an element are: a video keeps its proportions, with bars beside it. */
function within(window: Window, element: Seen, box: ViewportBox): ViewportBox {
  const [w, h] = sizeOf(element);
  if (window.getComputedStyle(element).objectFit !== "contain" || w * h === 0) return box;
  const scale = Math.min(box[2] / w, box[3] / h);
  return [box[0] + (box[2] - w * scale) / 2, box[1] + (box[3] - h * scale) / 2, w * scale, h * scale];
}

function good(sight: ElementPixels, why: PictureCutReason): boolean {
  return why === "empty" ? sight.covered === 0 && sight.behind !== null : sight.covered < COVERED;
}

/** Whether a picture has no other colour than this one. */
function isOf(context: OffscreenCanvasRenderingContext2D, colour: string | null): boolean {
  const { width, height } = context.canvas;
  const small = new OffscreenCanvas(33, 32).getContext("2d", { willReadFrequently: true });
  if (!small) return true;
  small.drawImage(context.canvas, 0, 0, width, height, 0, 0, 32, 32);
  small.fillStyle = colour ?? "#fff";
  small.fillRect(32, 0, 1, 1);
  const { data } = small.getImageData(0, 0, 33, 32);
  for (let i = 0; i < data.length; i += 4) {
    if (i % 132 === 128) continue; // beside the picture
    for (let c = 0; c < 3; c++) if (Math.abs((data[i + c] as number) - (data[128 + c] as number)) > 6) return false;
  }
  return true;
}

/**
 * Returns the position of an iframe's content in this document's viewport, or without an iframe that of the whole viewport; null if it is
 * zoomed or not completely visible.
 */
export function findFrameInViewport(window: Window, frame?: HTMLElement): ViewportPosition | null {
  const [w, h] = getLayoutViewportSize(window);
  if ((window.visualViewport?.scale ?? 1) !== 1) return null;
  if (!frame) return [0, 0, 0, 0, w, h, w];
  const sight = findElementPixels(window, frame);
  if (!sight || sight.covered >= COVERED) return null;
  const [x, y] = sight.box;
  return [x, y, Math.max(0, x), Math.max(0, y), Math.min(w, x + sight.box[2]), Math.min(h, y + sight.box[3]), w];
}
