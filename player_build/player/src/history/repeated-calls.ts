// A script that polls says the same few calls again and again; people read them as one.

import type { StoryItem } from "./story.ts";

/** Calls that only wait or look: others act, and each time counts. */
const LOOKS = /^(?:wait|is_|count|all|inner_|text_|get_|input_|query|title|content|url|bounding|expect)/;
/** Calls in one round, at most; rounds, at least. */
const LONGEST = 3;
const LEAST = 3;

/** Consecutive calls that the list shows as one row: one call, or several rounds of the same calls. */
export interface FoldedCalls {
  /** The first of them. */
  readonly item: StoryItem;
  readonly items: readonly StoryItem[];
  readonly rounds: number;
}

/**
 * Folds repeated calls: joins consecutive rounds of the same calls into one item if all of them only read or wait,
 * and none failed.
 */
export function foldRepeatedCalls(items: readonly StoryItem[]): FoldedCalls[] {
  const folds: FoldedCalls[] = [];
  for (let at = 0; at < items.length; ) {
    let fold: FoldedCalls = { item: items[at] as StoryItem, items: items.slice(at, at + 1), rounds: 1 };
    for (let length = 1; length <= LONGEST && looks(items[at + length - 1]); length++) {
      let end = at + length;
      while (looks(items[end]) && said(items[end]) === said(items[end - length])) end++;
      const rounds = Math.floor((end - at) / length);
      if (rounds < LEAST) continue;
      fold = { item: fold.item, items: items.slice(at, at + rounds * length), rounds };
      break;
    }
    folds.push(fold);
    at += fold.items.length;
  }
  return folds;
}

function looks(item: StoryItem | undefined): boolean {
  return item?.kind === "call" && !item.event.error && LOOKS.test(String(item.event.method));
}

function said(item: StoryItem | undefined): string {
  return item ? getActionTitle(item) : "";
}

/** Returns the title of an action, which the builder computed (`reel/action_title.py`): `Click Place order`. */
export function getActionTitle({ event }: StoryItem): string {
  return String(event.did ?? event.method);
}

/** Returns the title of folded calls: `Wait 500 ms, Inner text h1 × 20`. */
export function formatFoldedTitle({ items, rounds }: FoldedCalls): string {
  const once = items
    .slice(0, items.length / rounds)
    .map(getActionTitle)
    .join(", ");
  return rounds > 1 ? `${once} \u00d7 ${rounds}` : once;
}

/** Returns the time, in ms, at which the last of the folded calls ended. */
export function getFoldedEndTime({ items }: FoldedCalls): number {
  const { time, event } = items.at(-1) as StoryItem;
  return time + (Number(event.duration ?? 0) || 0);
}
