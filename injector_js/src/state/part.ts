// What a recording is made of beside the tree: parts, each of which follows one kind of state that the tree does not hold. One duty a file, its
// dependencies as parameters; `parts.ts` lists them. A new one is a file here and a line there.

import type { Op } from "../encoding/ops.ts";
import { runSafely } from "../error-guard.ts";

/**
 * How much of the state a transaction must contain: `everything` after a snapshot; all `changes` before an interaction or a mark; a `slice`
 * while the page runs, in which state that is slow to read waits for its turn.
 */
export type TransactionExtent = "everything" | "changes" | "slice";

/** The new values of changed attributes, by name; null for a removed attribute. */
export type ChangedAttributes = Readonly<Record<string, string | null>>;

/** A part of a document's recording that records one kind of state besides the tree. */
export interface StatePart {
  /** An element came into the recording under `id`. */
  meet?(element: Element, id: number): void;
  /** A shadow root came into the recording under `id`. */
  meetRoot?(root: ShadowRoot, id: number): void;
  /** Attributes of an element in the recording changed. */
  attributes?(element: Element, changes: ChangedAttributes): void;
  /** The node with `id` is not part of the recording any more. */
  forget?(id: number): void;
  /** A person or an agent is acting: what follows is worth a closer look. */
  wake?(): void;
  /** Appends ops for what changed since the last time. Called for every transaction: it must be cheap and read no layout. */
  collect?(ops: Op[], extent: TransactionExtent): void;
  /** Appends ops for what scripts changed in the document without a sign: `all` of it before a checkpoint, else as much as is due now and then. */
  collectSilent?(ops: Op[], all: boolean): void;
  /** Something that no event tells may have changed: called with the poll, when something else happened or time has passed, and before a checkpoint, which `must` be true. */
  poll?(ops: Op[], must: boolean): void;
  /** Everything is said anew after this: a fresh snapshot follows. */
  clear?(): void;
}

type Hook = keyof StatePart;

const HOOKS: Readonly<Record<Hook, true>> = {
  meet: true,
  meetRoot: true,
  attributes: true,
  forget: true,
  wake: true,
  collect: true,
  collectSilent: true,
  poll: true,
  clear: true,
};

/** Returns one part that calls each hook in all the given parts that have it, in their order. An error in one part does not stop the others. */
export function combineStateParts(parts: readonly StatePart[]): Required<StatePart> {
  const whole: Record<string, unknown> = {};
  for (const hook of Object.keys(HOOKS) as Hook[]) {
    const works = parts.flatMap(
      (part) => (part[hook] as ((a?: unknown, b?: unknown) => void) | undefined)?.bind(part) ?? [],
    );
    whole[hook] = (a?: unknown, b?: unknown) => {
      for (const work of works) runSafely(() => work(a, b));
    };
  }
  return whole as unknown as Required<StatePart>;
}
