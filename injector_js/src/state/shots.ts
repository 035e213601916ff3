// Canvases that hold pixels of another origin: no script may read them, but the browser may take a picture of the page. The recorder is asked
// for one, of the whole viewport, because a clipped picture would change the page's emulated size for a moment; the canvas is cut out here.

import type { Picture } from "./canvas.ts";
import { toBase64 } from "./sources.ts";

/** ms between two pictures: at least, and at most while nothing changes. */
const EVERY = 1_000;
const AT_MOST = 16_000;
/** Points of a canvas, as shares of its sides, at which nothing may cover it. */
const POINTS = [0.5, 0.02, 0.98];

interface Tainted {
  readonly canvas: HTMLCanvasElement;
  last: string;
  /** Where it was when the picture was asked for. */
  box: string;
  said: boolean;
}

type Box = readonly [x: number, y: number, w: number, h: number];

export class Shots {
  private readonly tainted = new Map<number, Tainted>();
  private wait = EVERY;
  private next = 0;
  private asked = false;
  /** Unix ms of the last request: what the picture shows was there then. */
  private askedAt = 0;

  constructor(
    private readonly window: Window,
    private readonly now: () => number,
    private readonly time: () => number,
    /** Asks for a picture of the viewport, which comes with {@link picture}; null where nobody can take one. */
    private readonly ask: (() => void) | null,
    private readonly send: (picture: Picture) => void,
    private readonly unsupported: (node: number, reason: string) => void,
  ) {}

  add(id: number, canvas: HTMLCanvasElement): void {
    this.tainted.set(id, { canvas, last: "", box: "", said: false });
    this.wait = EVERY;
    this.next = 0;
  }

  forget(id: number): void {
    this.tainted.delete(id);
  }

  clear(): void {
    this.tainted.clear();
  }

  wake(): void {
    this.wait = EVERY;
    this.next = Math.min(this.next, this.now() + 100);
  }

  /** Asks for a picture when it is time and there is something to be cut out of it. */
  pulse(): void {
    const now = this.now();
    if (this.tainted.size === 0 || this.asked || now < this.next) return;
    let any = false;
    for (const [id, each] of this.tainted) {
      const box = this.ask ? this.boxOf(each.canvas) : null;
      each.box = box ? box.join() : "";
      if (box) any = true;
      else if (!each.said && each.last === "") {
        each.said = true;
        this.unsupported(id, "tainted");
      }
    }
    this.next = now + this.wait;
    if (!any) return;
    this.asked = true;
    this.askedAt = this.time();
    this.ask?.();
  }

  /** The picture that was asked for; "" when it could not be taken. */
  async picture(base64: string): Promise<void> {
    this.asked = false;
    this.next = this.now() + this.wait;
    this.wait = Math.min(AT_MOST, this.wait * 2);
    if (base64 === "") return;
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const shot = await createImageBitmap(new Blob([bytes]));
    const scale = shot.width / (this.window.top ?? this.window).innerWidth;
    for (const [id, each] of this.tainted) {
      const box = this.boxOf(each.canvas);
      if (!box || box.join() !== each.box) continue;
      const [x, y, w, h] = box.map((side) => Math.round(side * scale)) as unknown as Box;
      if (w * h === 0) continue;
      const sheet = new OffscreenCanvas(w, h);
      sheet.getContext("2d")?.drawImage(shot, x, y, w, h, 0, 0, w, h);
      const blob = await sheet.convertToBlob({ type: "image/webp", quality: 0.95 });
      const encoded = await toBase64(blob);
      if (encoded === each.last || this.tainted.get(id) !== each) continue;
      each.last = encoded;
      this.wait = EVERY;
      this.next = this.now() + EVERY;
      this.send({
        node: id,
        w: each.canvas.width,
        h: each.canvas.height,
        mime: blob.type,
        base64: encoded,
        t: this.askedAt,
      });
    }
    shot.close();
  }

  /** Where a canvas's pixels are in the page's viewport, in CSS px; null where they are not all seen as they are. */
  private boxOf(canvas: HTMLCanvasElement): Box | null {
    const { window } = this;
    const { document } = window;
    if (document.visibilityState !== "visible") return null;
    const outer = canvas.getBoundingClientRect();
    if (outer.width === 0 || Math.abs(outer.width - canvas.offsetWidth) > 1) return null; // turned or scaled
    for (const across of POINTS) {
      for (const down of POINTS) {
        const at = document.elementFromPoint(outer.x + outer.width * across, outer.y + outer.height * down);
        if (at !== canvas && !(at?.shadowRoot && canvas.getRootNode() !== document)) return null;
      }
    }
    const style = window.getComputedStyle(canvas);
    const edge = (side: string) =>
      Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) +
      Number.parseFloat(style.getPropertyValue(`padding-${side}`));
    let [x, y] = [outer.x + edge("left"), outer.y + edge("top")];
    const [w, h] = [outer.width - edge("left") - edge("right"), outer.height - edge("top") - edge("bottom")];
    for (let view: Window = window; view !== view.top; view = view.parent) {
      const frame = view.frameElement;
      if (!frame) return null; // within another origin's page
      const place = frame.getBoundingClientRect();
      x += place.x + frame.clientLeft;
      y += place.y + frame.clientTop;
    }
    const top = window.top ?? window;
    if ((top.visualViewport?.scale ?? 1) !== 1) return null;
    if (x < 0 || y < 0 || x + w > top.innerWidth || y + h > top.innerHeight) return null;
    return [x, y, w, h];
  }
}
