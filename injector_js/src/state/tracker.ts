// State that the DOM tree does not hold is followed by trackers: one duty a file, its dependencies as parameters.

import type { Op } from "../encoding/ops.ts";

export interface StateTracker {
  /** An element came into the recording under `id`. */
  meet?(element: Element, id: number): void;
  /** The node with `id` is not part of the recording any more. */
  forget?(id: number): void;
  /** Appends ops for what changed since the last time. Called for every transaction: it must be cheap and read no layout. */
  collect(ops: Op[]): void;
  /** Something that no event tells may have changed: called with the pulse, when something else happened or time has passed, and before a checkpoint, which `must` be true. */
  pulse?(ops: Op[], must: boolean): void;
  /** Everything is said anew after this: a fresh snapshot follows. */
  clear(): void;
}
