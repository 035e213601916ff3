// What the index of a suite's file says of its tests (player_build/suite_page.py).

import type { FileIndex } from "../decode/pieces.ts";

export type TestOutcome = "failed" | "flaky" | "passed" | "skipped" | "xfailed" | "unknown";

/** One recording of a test: a test that was retried has several. */
export interface TestRecording {
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

/** A test in the list of a suite. */
export interface TestEntry {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly outcome: TestOutcome;
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
  readonly runs?: readonly TestRecording[];
}

/** The index of a suite's file. */
export interface SuiteIndex extends FileIndex {
  readonly tests: readonly TestEntry[];
  /** The number of pieces with what is searched. */
  readonly words: number;
}

/** The index of one recording in a suite's file; each recording has one. */
export interface RunIndex extends Omit<FileIndex, "resources"> {
  /** The number of its first chunk in the file. */
  readonly first: number;
  /** The packs with its resources. */
  readonly packs: readonly number[];
}

/** The reader's filter for the list of tests. */
export interface TestFilter {
  /** An outcome, or what changed: `since new`. */
  readonly outcome: string;
  readonly file: string;
  readonly tag: string;
  readonly text: string;
}

/**
 * Returns the tests that match a filter: each word is in the test's name or first cause, or a search has found the
 * test (`found`).
 */
export function filterTests(
  tests: readonly TestEntry[],
  { outcome, file, tag, text }: TestFilter,
  found: { has(id: string): boolean },
): TestEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return tests.filter((test) => {
    if (outcome && test.outcome !== outcome && `since ${test.since}` !== outcome) return false;
    if ((file && test.file !== file) || (tag && !test.tags?.includes(tag))) return false;
    const said = `${test.file} ${test.name} ${test.cause} ${test.tags?.join(" ") ?? ""}`.toLowerCase();
    return found.has(test.id) || words.every((word) => said.includes(word));
  });
}

/** Returns the URL fragment that opens a test: its recording number `n`, at the time `t` (ms). */
export function buildTestFragment(test: TestEntry, n = test.shown, t?: number): string {
  const run = n === test.shown ? "" : `&run=${n}`;
  return `#test=${test.id}${run}${t === undefined ? "" : `&t=${Math.round(t)}`}`;
}

/** Returns the recording of a test with the number `n`, by default the one that the list shows. */
export const getTestRecording = (test: TestEntry, n = test.shown): TestRecording | undefined =>
  test.runs?.find((run) => run.n === n);
