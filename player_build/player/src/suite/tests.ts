// What the index of a suite's file says of its tests (player_build/suite_page.py).

import type { Index } from "../decode/pieces.ts";

export type Outcome = "failed" | "flaky" | "passed" | "skipped" | "xfailed" | "unknown";

/** One recording of a test. */
export interface Run {
  /** Its number in the file. */
  readonly n: number;
  /** 0 for the first attempt. */
  readonly retry: number;
  readonly outcome: string;
  /** ms. */
  readonly duration: number;
  /** The moment of its failure, ms. */
  readonly at?: number;
}

export interface Test {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly outcome: Outcome;
  /** ms. */
  readonly duration: number;
  readonly retries: number;
  /** The first cause of its failure in a sentence; empty where nothing failed. */
  readonly cause: string;
  /** How it failed in the end, where that is another sentence. */
  readonly then?: string;
  readonly tags?: readonly string[];
  /** Compared with the suite before. */
  readonly since?: "new" | "fixed" | "flaky";
  /** The recording to open, by its number in the file; absent where there is none. */
  readonly shown?: number;
  readonly runs?: readonly Run[];
}

export interface SuiteIndex extends Index {
  readonly tests: readonly Test[];
}

/** The index of one recording, as its own piece of the file holds it. */
export interface RunIndex extends Omit<Index, "resources"> {
  /** The number of its first chunk in the file. */
  readonly first: number;
  /** The packs with its resources. */
  readonly packs: readonly number[];
}

export const runOf = (test: Test, n = test.shown): Run | undefined => test.runs?.find((run) => run.n === n);
