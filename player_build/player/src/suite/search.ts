// Search over all tests at once: their names, and each line that their pages, steps, consoles and requests had.

import type { Test } from "./tests.ts";

/** A line that was found in a test, and when it was first there, ms. */
export interface SearchMatch {
  readonly test: string;
  readonly run: number;
  readonly kind: string;
  readonly text: string;
  readonly t: number;
}

/** By kind of line: the lines, and of each the recordings in which it was and when: `[run, ms, run, ms, …]`. */
type Lines = Readonly<
  Record<string, { readonly texts: readonly string[]; readonly at: ReadonlyArray<readonly number[]> }>
>;

/** Most lines of one recording that are given. */
const MOST = 20;

export class SuiteSearch {
  #lines: Promise<Array<readonly [kind: string, low: string, text: string, at: readonly number[]]>> | undefined;
  readonly #tests = new Map<number, string>();

  constructor(
    private readonly read: () => Promise<unknown>,
    private readonly suite: { readonly tests: readonly Test[] },
  ) {}

  /** Reads what is searched, so that the first search need not. */
  prepare(): Promise<unknown> {
    this.#lines ??= this.read().then((words) => {
      for (const test of this.suite.tests) for (const run of test.runs ?? []) this.#tests.set(run.n, test.id);
      return Object.entries(words as Lines).flatMap(([kind, { texts, at }]) =>
        texts.map((text, n) => [kind, text.toLowerCase(), text, at[n] as readonly number[]] as const),
      );
    });
    return this.#lines;
  }

  /** The lines that hold every word of `text`, those of each test in the order of time. */
  async search(text: string): Promise<SearchMatch[]> {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    await this.prepare();
    const found: SearchMatch[] = [];
    const counts = new Map<number, number>();
    for (const [kind, low, line, at] of (await this.#lines) ?? []) {
      if (!words.every((word) => low.includes(word))) continue;
      for (let n = 0; n < at.length; n += 2) {
        const run = at[n] as number;
        const count = counts.get(run) ?? 0;
        if (count === MOST) continue;
        counts.set(run, count + 1);
        found.push({ test: this.#tests.get(run) ?? "", run, kind, text: line, t: at[n + 1] as number });
      }
    }
    return found.sort((a, b) => a.run - b.run || a.t - b.t);
  }
}
