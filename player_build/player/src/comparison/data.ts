// What the file says of the two runs, as comparison/page_payload.py writes it. Times in ms; `u` is on the joint clock.

/** Which of the two compared runs: `a` is the first, `b` the second. */
export type RunSide = "a" | "b";
export const RUN_SIDES: readonly RunSide[] = ["a", "b"];

export type DifferenceKind = "outcome" | "action" | "network" | "page" | "model" | "console" | "cost" | "time";

/** One difference between two runs, as `pagereel.comparison.Difference` has it. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly said: string;
  /** Whether it counts. The runs are equal without one that does; the others are listed as "perhaps". */
  readonly sure: boolean;
  readonly a: unknown;
  readonly b: unknown;
  /** When it showed in each run; null where it never did. */
  readonly at: Readonly<Record<RunSide, number | null>>;
  /** The element of each page that differs: its document, its id. */
  readonly nodes: Readonly<Partial<Record<RunSide, readonly [number, number] | null>>>;
  readonly u: number;
}

/** A step or call: its kind, title, begin and end in ms, the number of steps around it, and whether it failed. */
export type ActionSpan = readonly [kind: string, title: string, t: number, end: number, depth: number, failed: boolean];

/** A step or call of the first run and its match in the second run; null where there is none. */
export interface ActionPair {
  readonly kind: "paired" | "moved" | "removed" | "added";
  readonly a: ActionSpan | null;
  readonly b: ActionSpan | null;
}

/** The comparison in the file's index, built by `comparison/page_payload.py`. */
export interface ComparisonData {
  /** Moments of the joint clock, and the run's own that they stand for. */
  readonly clock: ReadonlyArray<readonly [u: number, a: number, b: number]>;
  readonly divergence: {
    readonly kind: DifferenceKind;
    readonly summary: string;
    readonly a: { readonly t: number; readonly title: string | null };
    readonly b: { readonly t: number; readonly title: string | null };
    readonly chain: readonly string[];
    /** Which of the differences each sentence is about; null: none. */
    readonly links: ReadonlyArray<number | null>;
    /** Which of the differences it is. */
    readonly difference: number;
  } | null;
  readonly differences: readonly Difference[];
  readonly pairs: readonly ActionPair[];
  readonly outcome: Readonly<Record<RunSide, string>>;
  readonly ignored: number;
  readonly notes: readonly string[];
}
