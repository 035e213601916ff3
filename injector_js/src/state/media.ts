// Audio and video: playing or not, and where. The position between two ops follows from rate and time.

import { isHtmlElementNamed } from "../dom.ts";
import type { MediaState, Op } from "../encoding/ops.ts";
import { roundToThousandth } from "../rounding.ts";
import type { StatePart } from "./part.ts";

/**
 * The names of DOM events after which the state of an audio or video element is read. `ended` is not needed, because such an element is
 * paused. The events do not bubble, but they can be captured.
 */
export const MEDIA_EVENTS = ["play", "playing", "pause", "seeked", "ratechange", "volumechange", "loadeddata"];

/**
 * Returns the playing position of an audio or video in s. A paused video may show the frame before or after its position; then the position
 * is that frame's.
 */
export function getMediaPosition(media: HTMLMediaElement): number {
  let time = media.currentTime;
  try {
    const frame = new VideoFrame(media as HTMLVideoElement);
    const { timestamp, duration } = frame;
    const past = time * 1e6 - timestamp;
    if (media.paused && (past < 0 || past > (duration || past) + 1e3)) time = timestamp / 1e6;
    frame.close();
  } catch {
    // A sound, a film of another origin, or a browser or page that does not have it.
  }
  return roundToThousandth(time);
}

function stateOf(media: HTMLMediaElement): MediaState {
  return {
    paused: media.paused,
    time: getMediaPosition(media),
    rate: media.playbackRate,
    volume: roundToThousandth(media.volume),
    muted: media.muted,
  };
}

function isMedia(element: Element): element is HTMLMediaElement {
  return isHtmlElementNamed(element, "video") || isHtmlElementNamed(element, "audio");
}

export class MediaPlayback implements StatePart {
  private readonly dirty = new Map<number, HTMLMediaElement>();

  constructor(private readonly idOf: (node: Node) => number) {}

  meet(element: Element, id: number): void {
    if (!isMedia(element)) return;
    if (!element.paused || element.currentTime > 0) this.dirty.set(id, element);
  }

  /** After an event of that name. Scripts send such events to other elements too: players do so from the box around their video. */
  changed(element: Element): void {
    const id = isMedia(element) ? this.idOf(element) : 0;
    if (id !== 0) this.dirty.set(id, element as HTMLMediaElement);
  }

  forget(id: number): void {
    this.dirty.delete(id);
  }

  clear(): void {
    this.dirty.clear();
  }

  collect(ops: Op[]): void {
    for (const [id, media] of this.dirty) ops.push(["media", id, stateOf(media)]);
    this.dirty.clear();
  }
}
