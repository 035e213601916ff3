// One clock for two runs: between two moments that both have in common each takes its share of the time (comparison/joint_clock.py).

import { RUN_SIDES, type RunSide, type ComparisonData } from "./data.ts";

type Moments = ComparisonData["clock"];
type Span = readonly [from: number, to: number];

const COLUMN = { u: 0, a: 1, b: 2 } as const;

/**
 * Converts the time `t` (ms) from one clock to another: the first run's, the second run's, or the joint clock (`u`).
 */
export function convertClockTime(clock: Moments, t: number, from: RunSide | "u", to: RunSide | "u"): number {
  const [x, y] = [COLUMN[from], COLUMN[to]];
  let at = clock.length - 1;
  while (at > 0 && (clock[at]?.[x] as number) > t) at--;
  const begin = clock[at];
  const end = clock[at + 1];
  if (!begin) return t;
  if (!end) return begin[y];
  const share = end[x] > begin[x] ? (t - begin[x]) / (end[x] - begin[x]) : 0;
  return begin[y] + Math.max(0, share) * (end[y] - begin[y]);
}

/** Returns the spans of the joint clock, in ms, in which nothing happens in either run. */
export function findCommonIdleSpans(clock: Moments, idle: Readonly<Record<RunSide, readonly Span[]>>): Span[] {
  const [ours, theirs] = RUN_SIDES.map((side) =>
    idle[side].map(
      ([from, to]) => [convertClockTime(clock, from, side, "u"), convertClockTime(clock, to, side, "u")] as const,
    ),
  ) as [Span[], Span[]];
  const found: Span[] = [];
  for (const [from, to] of ours)
    for (const [begin, end] of theirs)
      if (Math.min(to, end) > Math.max(from, begin)) found.push([Math.max(from, begin), Math.min(to, end)]);
  return found;
}
