// What a WebGL canvas shows is gone from its buffer once it is on the screen, unless the page asked for its keeping. A stream of the canvas
// gives each frame as it is drawn, exactly, without a change to the page; it is used where a look found nothing, and while draws are rare.

import { wrapToReportErrors } from "../error-guard.ts";
import { LOSSLESS_LIMIT_AT_MARK, encodePicture } from "./picture-formats.ts";

/** Frames in one second from which on looks in animation frames do as well, and cost less. */
const ANIMATED = 20;
/** ms between two pictures. */
const EVERY = 250;

interface Processor {
  readonly readable: ReadableStream<VideoFrame>;
}
type ProcessorClass = new (init: { track: MediaStreamTrack }) => Processor;

/** Takes the frames of a WebGL canvas from a stream of the canvas, because its buffer is discarded once it is shown. */
export class CanvasFrames {
  private stopped = false;
  private latest: VideoFrame | null = null;
  /** The last frame without loss, which only a mark may have. */
  private fine: Blob | null = null;
  /** When it came. */
  private at = 0;
  private waiting = false;
  /** A frame was given as a picture. */
  given = false;
  private readonly track: MediaStreamTrack;

  private constructor(
    canvas: HTMLCanvasElement,
    processor: ProcessorClass,
    private readonly window: Window,
    private readonly picture: (blob: Blob, at: number, t?: number) => Promise<void>,
    private readonly animated: () => void,
  ) {
    this.track = canvas.captureStream().getVideoTracks()[0] as MediaStreamTrack;
    void this.read(new processor({ track: this.track }).readable.getReader()).catch(() => this.stop());
  }

  /** Null where the browser cannot, or the canvas holds pixels of another origin. */
  static of(
    canvas: HTMLCanvasElement,
    window: Window,
    picture: (blob: Blob, at: number, t?: number) => Promise<void>,
    animated: () => void,
  ): CanvasFrames | null {
    const processor = (window as unknown as { MediaStreamTrackProcessor?: ProcessorClass }).MediaStreamTrackProcessor;
    if (!processor || typeof canvas.captureStream !== "function") return null;
    try {
      return new CanvasFrames(canvas, processor, window, picture, animated);
    } catch {
      return null;
    }
  }

  /** Whether the last frame that was drawn was given as a picture. */
  get told(): boolean {
    return this.given && !this.waiting;
  }

  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.track.stop();
    this.latest?.close();
    this.latest = null;
  }

  private async read(reader: ReadableStreamDefaultReader<VideoFrame>): Promise<void> {
    let second = 0;
    let count = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done || !value) return;
      if (this.stopped) {
        value.close();
        return;
      }
      this.latest?.close();
      this.latest = value;
      this.fine = null;
      const now = this.window.performance.now();
      this.at = now;
      if (now - second > 1000) {
        second = now;
        count = 0;
      }
      if (++count >= ANIMATED) {
        this.stop();
        this.animated();
        return;
      }
      if (this.waiting) continue;
      this.waiting = true;
      this.window.setTimeout(
        wrapToReportErrors(() => this.encode()),
        EVERY,
      );
    }
  }

  /** Gives a frame that was drawn and waits for its turn, or that was given with loss, as one of `t` (Unix ms; missing: of now); null where none does. */
  now(t?: number): Promise<void> | null {
    if (this.latest) return this.encode(t, LOSSLESS_LIMIT_AT_MARK);
    const { fine, at } = this;
    this.fine = null;
    return fine && this.picture(fine, at, t);
  }

  private async encode(t?: number, limit?: number): Promise<void> {
    this.waiting = false;
    const { latest: frame, at } = this;
    this.latest = null;
    if (!frame) return;
    const sheet = new OffscreenCanvas(frame.displayWidth, frame.displayHeight);
    sheet.getContext("2d")?.drawImage(frame, 0, 0);
    frame.close();
    const { blob, fine } = await encodePicture(sheet, limit);
    if (this.stopped) return;
    this.given = true;
    if (!this.latest) this.fine = fine;
    await this.picture(blob, at, t);
  }
}

/**
 * Whether a canvas shows nothing: "clear" if all its pixels are transparent; "black" if all are black, as those of an opaque canvas whose
 * buffer was discarded; "" if it shows something.
 */
export type CanvasEmptiness = "clear" | "black" | "";

/** Returns whether an encoded picture of a canvas shows nothing. */
export async function detectPictureEmptiness(blob: Blob): Promise<CanvasEmptiness> {
  const bitmap = await createImageBitmap(blob, { resizeWidth: SIDE, resizeHeight: SIDE, resizeQuality: "low" });
  const found = detectCanvasEmptiness(bitmap);
  bitmap.close();
  return found;
}

/** Returns whether a canvas shows nothing, by reading its pixels, which is slow. Throws if a canvas may not be read. */
export function detectCanvasEmptiness(source: HTMLCanvasElement | ImageBitmap): CanvasEmptiness {
  const context = new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
  if (!context) return "";
  context.drawImage(source, 0, 0, SIDE, SIDE);
  const pixels = new Uint32Array(context.getImageData(0, 0, SIDE, SIDE).data.buffer);
  const [first] = pixels;
  if (first !== 0 && first !== BLACK) return "";
  return pixels.every((pixel) => pixel === first) ? (first === 0 ? "clear" : "black") : "";
}

const SIDE = 64;
/** RGBA as a little-endian word. */
const BLACK = 0xff000000;
