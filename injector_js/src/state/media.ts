// Audio and video: playing or not, and where. The position between two ops follows from rate and time.

import { isHTML } from "../dom.ts";
import type { MediaState, Op } from "../encoding/ops.ts";
import type { StateTracker } from "./tracker.ts";

/** Events after which a media element's state is read. They do not bubble, but are captured. */
export const MEDIA_EVENTS = [
  "play",
  "playing",
  "pause",
  "seeked",
  "ratechange",
  "volumechange",
  "ended",
  "loadedmetadata",
];

const round = (value: number) => Math.round(value * 1000) / 1000;

function stateOf(media: HTMLMediaElement): MediaState {
  return {
    paused: media.paused,
    time: round(media.currentTime),
    rate: media.playbackRate,
    volume: round(media.volume),
    muted: media.muted,
  };
}

export class Media implements StateTracker {
  private readonly dirty = new Map<number, HTMLMediaElement>();

  constructor(private readonly idOf: (node: Node) => number) {}

  meet(element: Element, id: number): void {
    if (isHTML(element, "video") || isHTML(element, "audio")) {
      const media = element as HTMLMediaElement;
      if (!media.paused || media.currentTime > 0) this.dirty.set(id, media);
    }
  }

  changed(element: Element): void {
    const id = this.idOf(element);
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
