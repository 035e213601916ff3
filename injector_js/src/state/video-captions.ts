// The captions that lie over a video: cues of its text tracks that show, those of this moment and of the next ones. Scripts switch tracks on and off
// and write cues (`track.mode`, `addCue()`), and what a `<track>` names is loaded by the browser; the document hears of none of it.

import { MASK_TEXT } from "../config.ts";
import { isHtmlElementNamed } from "../dom.ts";
import type { VideoCue, Op } from "../encoding/ops.ts";
import type { MaskedFields } from "../policy.ts";
import { roundToThousandth } from "../rounding.ts";
import type { StatePart } from "./part.ts";

/** Seconds before and after the moment; cues of one video. */
const BEFORE = 1;
const AFTER = 20;
const MOST = 50;
/** How a cue is put that says nothing of it. */
const USUAL = { line: "auto", position: "auto", size: 100, align: "center", vertical: "", snapToLines: true };

const time = (value: number) => roundToThousandth(Math.min(value, 1e6));

export class VideoCaptions implements StatePart {
  private readonly videos = new Map<number, HTMLVideoElement>();
  private readonly said = new Map<number, string>();

  constructor(private readonly masks: MaskedFields) {}

  meet(element: Element, id: number): void {
    if (isHtmlElementNamed(element, "video")) this.videos.set(id, element as HTMLVideoElement);
  }

  forget(id: number): void {
    this.videos.delete(id);
    this.said.delete(id);
  }

  clear(): void {
    this.videos.clear();
    this.said.clear();
  }

  poll(ops: Op[]): void {
    for (const [id, video] of this.videos) {
      if (video.textTracks.length === 0 && !this.said.has(id)) continue;
      const cues = this.of(video);
      const key = JSON.stringify(cues);
      if (key === this.said.get(id)) continue;
      this.said.set(id, key);
      ops.push(["cues", id, cues]);
    }
  }

  private of(video: HTMLVideoElement): VideoCue[] {
    const now = video.currentTime;
    const found: VideoCue[] = [];
    for (const { mode, kind, cues } of video.textTracks) {
      if (mode !== "showing" || !cues || (kind !== "captions" && kind !== "subtitles")) continue;
      for (let at = 0; at < cues.length && found.length < MOST; at++) {
        const cue = cues[at] as VTTCue;
        if (cue.endTime < now - BEFORE) continue;
        if (cue.startTime > now + AFTER) break;
        const how: VideoCue[3] = {};
        for (const [name, usual] of Object.entries(USUAL)) {
          const value = cue[name as keyof typeof USUAL];
          if (value !== usual) how[name] = value;
        }
        found.push([time(cue.startTime), time(cue.endTime), this.masks.coversText(video) ? MASK_TEXT : cue.text, how]);
      }
    }
    return found;
  }
}
