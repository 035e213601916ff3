// What videos show where they stand still: when they pause, are sought, or the moment is marked. Their bytes may never come: the browser fetches
// what it plays, a script may put the film together itself, and large files are not kept. Then this is what there is to show.

import { isHtmlElementNamed } from "../dom.ts";
import type { CanvasPicture } from "./canvas.ts";
import type { ViewportPictures } from "./viewport-pictures.ts";
import { toBase64 } from "./chosen-sources.ts";
import type { StatePart } from "./part.ts";

/** Pixels of a film whose picture is taken: 4K is not too large. */
const LIMIT = 9_000_000;
/** The names of DOM events after which a video may stand still and show a picture. */
export const VIDEO_STILL_EVENTS = ["loadeddata", "pause", "seeked", "ended"];

export class VideoStills implements StatePart {
  /** Of each video: what its last picture shows. */
  private readonly taken = new Map<number, string>();
  private readonly videos = new Map<number, HTMLVideoElement>();
  private readonly work = new Set<Promise<void>>();

  constructor(
    private readonly idOf: (node: Node) => number,
    private readonly time: () => number,
    private readonly send: (picture: CanvasPicture) => void,
    private readonly shots: ViewportPictures,
  ) {}

  meet(element: Element, id: number): void {
    if (isHtmlElementNamed(element, "video")) this.videos.set(id, element as HTMLVideoElement);
  }

  /** Takes what a video shows, if it stands still. */
  still(element: Element): void {
    const id = this.idOf(element);
    if (id !== 0 && this.videos.has(id)) this.take(id, element as HTMLVideoElement);
  }

  /** Takes what all videos show now: what one showed when it was sought may have been drawn before its frame came. */
  takeNow(): void {
    this.taken.clear();
    for (const [id, video] of this.videos) this.take(id, video);
  }

  /** Resolves when what was taken is told. */
  async told(): Promise<void> {
    await Promise.all(this.work);
  }

  forget(id: number): void {
    this.videos.delete(id);
    this.taken.delete(id);
  }

  clear(): void {
    this.videos.clear();
    this.taken.clear();
  }

  private take(id: number, video: HTMLVideoElement): void {
    const { videoWidth: w, videoHeight: h } = video;
    const shown = `${video.currentSrc} ${video.currentTime}`;
    if (video.readyState < 2 || w * h === 0 || w * h > LIMIT || this.taken.get(id) === shown) return;
    const t = this.time();
    const sheet = new OffscreenCanvas(w, h);
    const context = sheet.getContext("2d", { willReadFrequently: true });
    try {
      context?.drawImage(video, 0, 0, w, h);
      // The first frame may be told of before it can be drawn.
      if (context?.getImageData(w >> 1, h >> 1, 1, 1).data[3] === 0) return;
    } catch {
      this.taken.set(id, shown);
      this.shots.want(id, video, "film"); // of another origin
      return;
    }
    this.taken.set(id, shown);
    const work = sheet
      .convertToBlob({ type: "image/webp", quality: 0.9 })
      .then(async (blob) => this.send({ node: id, w, h, mime: blob.type, base64: await toBase64(blob), t }))
      .catch(() => {})
      .finally(() => this.work.delete(work));
    this.work.add(work);
  }
}
