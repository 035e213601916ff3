// Pixels that are not DOM: canvases as pictures, the position of audio and video.

import type { Resources } from "../decode/resources.ts";
import type { VideoCue, MediaState, ModelNode } from "../state/node.ts";

/** How far off a position may be before it is set again, s. */
const DRIFT = 0.04;

/** Canvas pictures kept decoded. */
const KEPT = 60;

/**
 * Shows the recorded pictures of canvases. Without scripts a browser does not draw a `<canvas>` (HTML: it represents
 * its fallback content), so a style rule shows each picture as the element's replaced content.
 */
export class CanvasPictures {
  readonly #rules = new Set<string>();
  readonly #decoded = new Map<number, HTMLImageElement>();

  constructor(
    private readonly document: Document,
    private readonly resources: Resources,
    private readonly layer: Pick<CSSGroupingRule, "insertRule">,
  ) {}

  /** False: its picture is being read. */
  paint(canvas: HTMLCanvasElement, node: ModelNode): boolean {
    const { canvas: state } = node.state;
    const number = /^pagereel:(\d+)$/.exec(state?.[0] ?? "")?.[1];
    if (number === undefined) {
      const width = pixels(node.attributes.width, 300);
      const height = pixels(node.attributes.height, 150);
      const empty = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`;
      this.#show(canvas, `${width}x${height}`, `data:image/svg+xml,${encodeURIComponent(empty)}`);
      return true;
    }
    const url = this.resources.url(Number(number));
    if (url === undefined) return false;
    this.#decode(Number(number), url);
    this.#show(canvas, number, url);
    return true;
  }

  #show(canvas: Element, name: string, url: string): void {
    if (!this.#rules.has(name)) {
      this.#rules.add(name);
      const rule = `canvas[data-pagereel-canvas="${name}"] { content: url("${url}") !important }`;
      this.layer.insertRule(rule);
    }
    if (canvas.getAttribute("data-pagereel-canvas") !== name) canvas.setAttribute("data-pagereel-canvas", name);
  }

  /** Through an image of the same document, which shares the picture with the rule, one can wait for it. */
  #decode(number: number, url: string): void {
    if (this.#decoded.has(number)) return;
    const image = this.document.createElement("img");
    image.src = url;
    this.#decoded.set(number, image);
    if (this.#decoded.size > KEPT) this.#decoded.delete(this.#decoded.keys().next().value as number);
    const done = image
      .decode()
      .catch(() => {})
      .finally(() => pending.delete(done));
    pending.add(done);
  }
}

const pending = new Set<Promise<void>>();

/** Resolves when every canvas shows its picture. */
export async function waitForCanvases(): Promise<void> {
  await Promise.all(pending);
}

function pixels(attribute: string | undefined, otherwise: number): number {
  const digits = /^[ \t\n\f\r]*\+?(\d{1,5})/.exec(attribute ?? "")?.[1];
  return digits === undefined ? otherwise : Number(digits);
}

/** Sets the volume of a video or audio element, so that its controls show it. The element never plays. */
export function paintMediaVolume(media: HTMLMediaElement, state: MediaState | undefined): void {
  if (typeof media.pause !== "function" || !state) return;
  media.volume = Math.min(1, Math.max(0, state.volume));
  media.muted = state.muted; // It never plays, so it makes no sound; its controls show this.
}

const tracks = new WeakMap<HTMLMediaElement, TextTrack>();

/** Shows captions over a video, in a text track that the player adds. */
export function paintVideoCaptions(video: HTMLMediaElement, told: readonly VideoCue[]): void {
  const track = tracks.get(video) ?? video.addTextTrack("captions");
  tracks.set(video, track);
  track.mode = "showing";
  for (const cue of [...(track.cues ?? [])]) track.removeCue(cue);
  const { VTTCue } = video.ownerDocument.defaultView as Window & typeof globalThis;
  for (const [from, to, text, { line, position, size, align, vertical, snapToLines }] of told) {
    const put = { line, position, size, align, vertical, snapToLines };
    const cue = new VTTCue(Number(from), Number(to), String(text));
    for (const [name, value] of Object.entries(put)) if (value !== undefined) Object.assign(cue, { [name]: value });
    track.addCue(cue);
  }
  // A film that stands looks for them only when it is put somewhere.
  if (video.currentTime > 0) video.currentTime += 0;
}

/**
 * Seeks a video or audio element to its position at `t` (ms); the element never plays. Returns false if the element
 * is not ready yet, and true if the position is set or can never be set.
 */
export function paintMediaPosition(media: HTMLMediaElement, state: MediaState, t: number): boolean {
  if (media.readyState < 1 || media.seeking) return Boolean(media.error) || media.networkState === 0;
  // The browser turns on what a page's `<track default>` names.
  const own = tracks.get(media);
  if (own) for (const track of media.textTracks) if (track !== own && track.mode === "showing") track.mode = "disabled";
  let time = state.paused ? state.time : state.time + ((t - state.at) / 1000) * state.rate;
  if (Number.isFinite(media.duration))
    time = media.loop && media.duration > 0 ? time % media.duration : Math.min(time, media.duration);
  if (Math.abs(media.currentTime - time) > DRIFT) media.currentTime = Math.max(0, time);
  return true;
}

/** How long a medium shows nothing new before it is put next to its first moment again, ms, and how often it was. */
const STEADY = [60, 150, 300];
const steadied = new WeakMap<HTMLMediaElement, number>();
/** Seconds, far less than a frame: a seek to the very same time may be none. */
const NEXT_TO = 0.0001;

/** Resolves when a video or audio element shows the frame that it was sought to, or cannot show it. */
export async function waitForMedia(media: HTMLMediaElement): Promise<void> {
  // No events: WebKit dispatches none in a frame without scripts.
  for (let round = 0; round < 110; round++) {
    if (media.error || media.networkState === 0) return;
    // So it says where it has no source, and also until it begins to look at the one that it was just given.
    if (media.networkState === 3 && round > 2) return;
    if (media.readyState >= 2 && !media.seeking) {
      const wait = STEADY[steadied.get(media) ?? 0];
      if (wait === undefined || media.currentTime === 0) return;
      // Of a film that was just opened a busy Chromium may drop the only frame that it had to draw, and shows its first one for ever; WebKit may drop some.
      steadied.set(media, (steadied.get(media) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, wait));
      media.currentTime += NEXT_TO;
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
