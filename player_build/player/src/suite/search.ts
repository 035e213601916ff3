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
type Slice = Readonly<Record<string, SliceLines>>;

interface SliceLines {
  readonly texts: readonly string[];
  readonly at: ReadonlyArray<readonly number[]>;
}

/** The lines of one kind in one slice, as they are searched: as one text, which takes less memory and time than many. */
interface Lines extends SliceLines {
  readonly kind: string;
  /** All of them in lower case. */
  readonly low: string;
  /** Where the next line begins in it. */
  readonly ends: readonly number[];
}

/** Most lines of one recording that are given. */
const MOST = 20;

/** Waits until the page has nothing else to do, but not long. WebKit does not say when that is. */
export function idle(): Promise<unknown> {
  return new Promise((go) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(go, { timeout: 300 });
    else setTimeout(go, 20);
  });
}

export class SuiteSearch {
  #ready: Promise<void> | undefined;
  #wanted = false;
  readonly #lines: Lines[] = [];
  readonly #tests = new Map<number, string>();

  constructor(
    private readonly read: (slice: number) => Promise<unknown>,
    private readonly suite: { readonly tests: readonly Test[]; readonly slices: number },
  ) {}

  /** Reads what is searched, a slice at a time while the page is idle, so that the first search need not. */
  prepare(): Promise<void> {
    this.#ready ??= this.#prepare();
    return this.#ready;
  }

  async #prepare(): Promise<void> {
    for (const test of this.suite.tests) for (const run of test.runs ?? []) this.#tests.set(run.n, test.id);
    for (let slice = 0; slice < this.suite.slices; slice++) {
      if (!this.#wanted) await idle();
      for (const [kind, { texts, at }] of Object.entries((await this.read(slice)) as Slice)) {
        const low = texts.map((text) => text.toLowerCase());
        let end = 0;
        const ends = low.map((text) => (end += text.length + 1));
        this.#lines.push({ kind, texts, at, low: low.join("\n"), ends });
      }
    }
  }

  /** The lines that hold every word of `text`, those of each test in the order of time. */
  async search(text: string): Promise<SearchMatch[]> {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    this.#wanted = true;
    await this.prepare();
    const found: SearchMatch[] = [];
    const counts = new Map<number, number>();
    for (const lines of this.#lines) {
      for (const line of matching(lines, words)) {
        const at = lines.at[line] as readonly number[];
        for (let n = 0; n < at.length; n += 2) {
          const run = at[n] as number;
          const count = counts.get(run) ?? 0;
          if (count === MOST) continue;
          counts.set(run, count + 1);
          const text = lines.texts[line] as string;
          found.push({ test: this.#tests.get(run) ?? "", run, kind: lines.kind, text, t: at[n + 1] as number });
        }
      }
    }
    return found.sort((a, b) => a.run - b.run || a.t - b.t);
  }
}

/** The numbers of the lines that hold every word. */
function* matching({ low, ends }: Lines, words: readonly string[]): Generator<number> {
  const [longest = ""] = [...words].sort((a, b) => b.length - a.length);
  let line = 0;
  for (let at = low.indexOf(longest); at >= 0; at = low.indexOf(longest, ends[line++])) {
    while ((ends[line] as number) <= at) line++;
    const text = low.slice(line && ends[line - 1], ends[line]);
    if (words.every((word) => text.includes(word))) yield line;
  }
}
