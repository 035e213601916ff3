// Where a moment stands on the timeline. Spans in which nothing happens take little room there, so that what happens has it.

import { formatClockTime } from "../ui/format.ts";

type Span = readonly [number, number];

/** Of the whole timeline, how much room one idle span takes at most. */
const FOLDED = 0.04;
/** Rounds in which what all idle spans take at most is found: many of them together take much room, whatever one does. */
const ROUNDS = 60;

/** Distances between marks of the ruler (ms). */
const STEPS = [100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1800e3, 3600e3];

/** Converts between times and positions on the timeline, on which long idle spans are shortened. */
export class TimelineScale {
  /** Idle spans that are folded, in order. */
  readonly folded: readonly Span[];
  readonly #most: number;

  /** `idle`: spans in which nothing happens, in order; `duration`: of all (ms). */
  constructor(duration: number, idle: readonly Span[]) {
    const active = idle.reduce((rest, [from, to]) => rest - (to - from), duration);
    let most = 1;
    for (let round = 0; round < ROUNDS; round++)
      most = FOLDED * idle.reduce((room, [from, to]) => room + Math.min(to - from, most), active + 1);
    this.#most = most;
    this.folded = idle.filter(([from, to]) => to - from > most);
  }

  /** The room before a moment, in ms of unfolded time. */
  #room(t: number): number {
    let room = t;
    for (const [from, to] of this.folded) {
      if (t <= from) break;
      const inside = Math.min(t, to) - from;
      room -= inside * (1 - this.#most / (to - from));
    }
    return room;
  }

  #moment(room: number): number {
    let t = room;
    for (const [from, to] of this.folded) {
      if (t <= from) break;
      const share = (to - from) / this.#most;
      t = Math.min(t - from, this.#most) * share + from + Math.max(0, t - from - this.#most);
    }
    return t;
  }

  /** Where `t` stands in a part of the timeline: 0 at its begin, 1 at its end. */
  place(t: number, [from, to]: Span): number {
    const begin = this.#room(from);
    return (this.#room(t) - begin) / Math.max(1e-6, this.#room(to) - begin);
  }

  /** The moment that stands at `place` of a part. */
  at(place: number, [from, to]: Span): number {
    const begin = this.#room(from);
    return this.#moment(begin + place * (this.#room(to) - begin));
  }

  /** The marks of a ruler over a part, as far apart as `most` of them allow; none within a folded span. */
  marks(range: Span, most: number): number[] {
    const [from, to] = range;
    const room = this.#room(to) - this.#room(from);
    const step = STEPS.find((each) => room / each <= most) ?? 3600e3 * Math.ceil(room / 3600e3 / most);
    const marks: number[] = [];
    let last = Number.NEGATIVE_INFINITY;
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
      const inside = this.folded.find(([begin, end]) => t > begin && t < end);
      if (inside) {
        t = Math.floor(inside[1] / step) * step;
        continue;
      }
      const place = this.place(t, range);
      if (place - last < 0.7 / most) continue;
      last = place;
      marks.push(t);
    }
    return marks;
  }
}

/** Returns the label of a tick: `0:05`, `1:05:00`, or with `tenths` `0:05.2`. */
export function formatTickLabel(t: number, tenths: boolean): string {
  const text = tenths ? formatClockTime(t) : formatClockTime(Math.round(t / 1000) * 1000).slice(0, -2);
  const [minutes = "", seconds] = text.split(":");
  const hours = Math.floor(Number(minutes) / 60);
  return hours ? `${hours}:${String(Number(minutes) % 60).padStart(2, "0")}:${seconds}` : text;
}
