// What canvases show. No event tells when a page draws, so they are looked at: often while they change, seldom while they do not. The picture
// is taken in an animation frame, after the page's own callbacks, where a WebGL buffer that is not preserved still holds it; it is encoded by
// the browser off the main thread. Where the buffer is empty although the canvas may show something, it is cut out of a picture of the page.

import { isHtmlElementNamed } from "../dom.ts";
import { wrapToReportErrors } from "../error-guard.ts";
import { CanvasFrames, type CanvasEmptiness, detectPictureEmptiness, detectCanvasEmptiness } from "./canvas-frames.ts";
import { ViewportPictures } from "./viewport-pictures.ts";
import { toBase64 } from "./chosen-sources.ts";
import type { StatePart } from "./part.ts";
import {
  LOSSLESS_LIMIT_AT_MARK,
  getPictureFormat,
  isLargePicture,
  createLossyCopy,
  isTooLargeWithoutLoss,
} from "./picture-formats.ts";

const { getContext } = HTMLCanvasElement.prototype;

/** ms between two looks at one canvas: at least, and at most while it does not change. */
const EVERY = 250;
const AT_MOST = 4_000;
/** Pixels of all canvases above which the large ones are not read, which takes the page seconds, but cut out of pictures of the page. */
const HUGE = 20_000_000;

export interface CanvasPicture {
  node: number;
  w: number;
  h: number;
  /** "": the one that was told last. */
  mime: string;
  base64: string;
  /** Unix ms, when it is not now. */
  t?: number;
}

interface Seen {
  readonly canvas: HTMLCanvasElement;
  last: string;
  next: number;
  wait: number;
  busy: boolean;
  refused: boolean;
  /** It was drawn on, and so has a context. */
  drawn: boolean;
  /** A mark could not read it: a picture of the page will tell, or nothing. */
  unsure: boolean;
  /** Its pictures are too large without loss; and so are those at marks, which may be larger. */
  lossy: boolean;
  grainy: boolean;
  /** When what was told last was there, of the page's clock: what was read before comes too late. */
  at: number;
  /** The picture that a look gives when there is nothing to see. */
  blank: string;
  /** Gives the frames as they are drawn, where looks see nothing. */
  frames: CanvasFrames | null;
}

export class CanvasContents implements StatePart {
  private readonly seen = new Map<number, Seen>();
  private frame = 0;
  readonly shots: ViewportPictures;
  /** How many times less often than usual canvases are looked at. */
  slowness = 1;

  constructor(
    private readonly window: Window,
    private readonly now: () => number,
    time: () => number,
    private readonly send: (picture: CanvasPicture) => void,
    private readonly unsupported: (node: number, reason: string) => void,
    ask: (() => void) | null,
  ) {
    const cut = (picture: CanvasPicture) => {
      const seen = this.seen.get(picture.node);
      // The next that is read is told in any case, but for the same emptiness: this is not what the buffer held.
      if (seen) {
        seen.last = seen.blank;
        seen.unsure = false;
      }
      send(picture);
    };
    const instead = (id: number, t: number) => {
      const frames = this.seen.get(id)?.frames;
      // The frame that the picture of the page shows has come by now, or comes with the next one.
      return frames?.given ? (frames.now(t) ?? this.painted().then(() => frames.now(t) ?? undefined)) : null;
    };
    const same = (id: number, t: number) => {
      const seen = this.seen.get(id);
      if (!seen) return;
      seen.unsure = false;
      this.tell(id, seen, "", "", t);
    };
    this.shots = new ViewportPictures(window, now, time, ask, cut, same, instead, unsupported);
  }

  meet(element: Element, id: number): void {
    if (!isHtmlElementNamed(element, "canvas")) return;
    const canvas = element as HTMLCanvasElement;
    const looks = {
      last: "",
      next: 0,
      wait: EVERY,
      busy: false,
      refused: false,
      drawn: false,
      unsure: false,
      lossy: false,
      grainy: false,
      at: 0,
      blank: "",
    };
    this.seen.set(id, { canvas, ...looks, frames: null });
    this.schedule();
  }

  forget(id: number): void {
    this.seen.get(id)?.frames?.stop();
    this.seen.delete(id);
    this.shots.forget(id);
  }

  clear(): void {
    for (const seen of this.seen.values()) seen.frames?.stop();
    this.seen.clear();
    this.shots.clear();
  }

  *elements(): Generator<HTMLCanvasElement> {
    for (const { canvas } of this.seen.values()) yield canvas;
  }

  /** What is known of what a canvas shows: 1 something, 0 nothing; -1: it cannot be read; 2: it could not be read at this mark. */
  shown(id: number): number {
    const seen = this.seen.get(id);
    return seen?.unsure ? 2 : seen?.refused ? -1 : Number(Boolean(seen?.last));
  }

  /** A person or an agent acted: what follows is worth a closer look. */
  wake(): void {
    if (this.seen.size === 0) return;
    this.shots.wake();
    for (const seen of this.seen.values()) {
      seen.wait = EVERY;
      seen.next = Math.min(seen.next, this.now() + 50);
    }
    this.schedule();
  }

  poll(): void {
    const now = this.now();
    for (const seen of this.seen.values()) if (!seen.busy && !seen.refused && now >= seen.next) this.schedule();
    this.shots.poll();
  }

  /** Has frames told that were drawn and are kept for later, and large canvases, which would take long in one task; null where there are none. */
  framesNow(): Promise<unknown> | null {
    const works = [...this.seen].map(([id, seen]) => this.toldAtMark(id, seen)).filter(Boolean);
    return works.length > 0 ? Promise.all(works) : null;
  }

  private toldAtMark(id: number, seen: Seen): Promise<unknown> | null {
    const { canvas, frames } = seen;
    if (isLargePicture(canvas) && !seen.refused && (!frames || holds(seen)))
      return new Promise<void>((done) => this.look(id, seen, done));
    return frames && this.painted().then(() => frames.now());
  }

  /** A frame later: a stream gives what was drawn with the next one. A page that is not shown has none. */
  private painted(): Promise<unknown> {
    return new Promise((done) => {
      this.window.requestAnimationFrame(wrapToReportErrors(done));
      this.window.setTimeout(wrapToReportErrors(done), 100);
    });
  }

  /** Takes the other canvases now, at the cost of encoding them in this task; for marks and the end. */
  takeNow(): void {
    for (const [id, seen] of this.seen) {
      const { canvas } = seen;
      if (canvas.width * canvas.height === 0) continue;
      seen.unsure = seen.refused;
      if (seen.refused) continue;
      try {
        const hidden = this.hides(id, seen, detectCanvasEmptiness(canvas), true);
        seen.unsure = hidden && seen.drawn && !seen.frames?.told;
        if (hidden || isLargePicture(canvas)) continue;
        let url = canvas.toDataURL(...getPictureFormat(seen.grainy));
        if (!seen.grainy && isTooLargeWithoutLoss(url.length * 0.75, canvas, LOSSLESS_LIMIT_AT_MARK)) {
          seen.grainy = true;
          url = canvas.toDataURL(...getPictureFormat(true));
        }
        seen.at = this.now();
        this.shots.read(id);
        if (url === seen.last) continue;
        this.tell(id, seen, url.slice(5, url.indexOf(";")), url.slice(url.indexOf(",") + 1));
        seen.last = url;
      } catch {
        this.refuse(id, seen);
        seen.unsure = true;
      }
    }
  }

  private schedule(): void {
    if (this.frame !== 0 || this.seen.size === 0) return;
    const look = () => {
      this.frame = 0;
      const now = this.now();
      for (const [id, seen] of this.seen) if (!seen.busy && !seen.refused && now >= seen.next) this.look(id, seen);
    };
    this.frame = this.window.requestAnimationFrame(wrapToReportErrors(look));
  }

  private look(id: number, seen: Seen, done?: () => void): void {
    const { canvas } = seen;
    if (canvas.width * canvas.height === 0) return;
    if (
      isLargePicture(canvas) &&
      [...this.elements()].reduce((sum, { width, height }) => sum + width * height, 0) > HUGE
    ) {
      this.unsupported(id, "too large");
      this.refuse(id, seen);
      done?.();
      return;
    }
    seen.busy = true;
    const at = this.now();
    try {
      canvas.toBlob(
        wrapToReportErrors((blob: Blob | null) => this.encoded(id, seen, blob, at).finally(done)),
        ...getPictureFormat(seen.lossy),
      );
    } catch {
      this.refuse(id, seen);
      done?.();
    }
  }

  private async encoded(id: number, seen: Seen, given: Blob | null, at: number): Promise<void> {
    let blob = given;
    if (blob && !seen.lossy && isTooLargeWithoutLoss(blob.size, seen.canvas)) {
      seen.lossy = true;
      blob = await createLossyCopy(blob);
    }
    seen.busy = false;
    if (!blob || this.seen.get(id) !== seen) return;
    const base64 = await toBase64(blob);
    if (at < seen.at) return;
    const url = `data:${blob.type};base64,${base64}`;
    const same = url === seen.last;
    seen.wait = same ? Math.min(AT_MOST, seen.wait * 2) : EVERY;
    seen.next = this.now() + seen.wait * (isLargePicture(seen.canvas) ? 4 : 1) * this.slowness;
    if (same || (url === seen.blank && !(seen.drawn && keeps(seen.canvas)))) return;
    const empty = await detectPictureEmptiness(blob);
    if (at < seen.at) return; // A mark's look at what was drawn since has overtaken this one.
    if (this.hides(id, seen, empty, false)) {
      seen.blank = url;
      this.follow(id, seen);
      return;
    }
    this.shots.read(id);
    seen.blank = "";
    seen.last = url;
    seen.at = at;
    seen.unsure = false;
    this.tell(id, seen, blob.type, base64);
  }

  /** Whether a canvas that was read as this may show something else. If so, a picture of the page is wanted. */
  private hides(id: number, seen: Seen, empty: CanvasEmptiness, must: boolean): boolean {
    seen.drawn ||= empty !== "clear";
    if (empty === "" || (seen.drawn && keeps(seen.canvas))) return false;
    if (must || !seen.frames?.told) this.shots.want(id, seen.canvas, seen.drawn ? "lost" : "empty");
    return true;
  }

  /** Nothing is to be seen: either nothing was drawn, or it is on the screen and no longer in the buffer. */
  private follow(id: number, seen: Seen): void {
    seen.frames ??= CanvasFrames.of(
      seen.canvas,
      this.window,
      (blob, at, t) => this.drawn(id, seen, blob, at, t),
      () => {
        seen.frames = null;
        seen.wait = EVERY;
        seen.next = 0;
        seen.blank = "";
      },
    );
  }

  private async drawn(id: number, seen: Seen, blob: Blob, at: number, t?: number): Promise<void> {
    const base64 = await toBase64(blob);
    const url = `data:${blob.type};base64,${base64}`;
    this.shots.read(id);
    if (at < seen.at || url === seen.last || this.seen.get(id) !== seen) return;
    seen.at = at;
    seen.drawn = true;
    seen.last = url;
    this.tell(id, seen, blob.type, base64, t);
  }

  private tell(node: number, seen: Seen, mime: string, base64: string, t?: number): void {
    this.send({ node, w: seen.canvas.width, h: seen.canvas.height, mime, base64, ...(t && { t }) });
  }

  /** It is not read: it drew something from another origin, or is too large. */
  private refuse(id: number, seen: Seen): void {
    seen.refused = true;
    seen.busy = false;
    this.shots.want(id, seen.canvas, "tainted");
  }
}

/** Whether what a canvas shows can be read of it: then no frame is waited for, which comes when the browser has time. */
function holds(seen: Seen): boolean {
  try {
    seen.drawn ||= detectCanvasEmptiness(seen.canvas) !== "clear";
  } catch {
    return true; // A look says that it cannot be read.
  }
  return seen.drawn && keeps(seen.canvas);
}

/**
 * Whether a canvas that was drawn on still holds what it shows, as those of a 2D context do. Where there is a context, asking for one has no
 * effect: it gives that one, or null where it is of another kind (HTML, "getContext()").
 */
function keeps(canvas: HTMLCanvasElement): boolean {
  try {
    return getContext.call(canvas, "2d") !== null;
  } catch {
    return true; // Drawn elsewhere, and handed over frame by frame.
  }
}
