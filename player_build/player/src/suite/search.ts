// Search over all tests at once: their names, and each line that their pages, steps, consoles and requests had.

import type { TestEntry } from "./tests.ts";

/** A line of text that a search found in a test; `t` is when it first appeared, in ms. */
export interface SearchMatch {
  readonly test: string;
  readonly run: number;
  readonly kind: string;
  readonly text: string;
  readonly t: number;
}

/** By kind of line: the lines, and of each the recordings in which it was and when: `[run, ms, run, ms, …]`. */
type Slice = Readonly<
  Record<string, { readonly texts: readonly string[]; readonly at: ReadonlyArray<readonly number[]> }>
>;

/** The lines of one kind in one slice. Kept as bytes, which take a third of the memory that strings and lists would, and are decoded in a moment. */
interface Lines {
  readonly kind: string;
  /** In UTF-8, each on its own line. */
  readonly texts: Uint8Array;
  /** `at` of all lines, one after another, and where those of the next line begin. */
  readonly at: Int32Array;
  readonly ends: Uint32Array;
}

/** Most lines of one recording that are given. */
const MOST = 20;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Resolves when the browser is idle, at the latest after 300 ms; in WebKit, which does not report idleness, after 20
 * ms.
 */
export function waitUntilIdle(): Promise<unknown> {
  return new Promise((go) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(go, { timeout: 300 });
    else setTimeout(go, 20);
  });
}

/** Searches the texts of all tests in a suite's file. */
export class SuiteSearch {
  #ready: Promise<void> | undefined;
  #wanted = false;
  readonly #lines: Lines[] = [];
  readonly #tests = new Map<number, string>();

  constructor(
    private readonly read: (slice: number) => Promise<unknown>,
    private readonly suite: { readonly tests: readonly TestEntry[]; readonly slices: number },
  ) {}

  /** Reads what is searched, a slice at a time while the page is idle, so that the first search need not. */
  prepare(): Promise<void> {
    this.#ready ??= this.#prepare();
    return this.#ready;
  }

  async #prepare(): Promise<void> {
    for (const test of this.suite.tests) for (const run of test.runs ?? []) this.#tests.set(run.n, test.id);
    for (let slice = 0; slice < this.suite.slices; slice++) {
      if (!this.#wanted) await waitUntilIdle();
      for (const [kind, { texts, at }] of Object.entries((await this.read(slice)) as Slice)) {
        let end = 0;
        this.#lines.push({
          kind,
          texts: new TextEncoder().encode(texts.map((text) => text.replaceAll("\n", " ")).join("\n")),
          at: Int32Array.from(at.flat()),
          ends: Uint32Array.from(at, (places) => (end += places.length)),
        });
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
    for (const { kind, texts, at, ends } of this.#lines) {
      for (const [line, text] of decoder.decode(texts).split("\n").entries()) {
        const low = text.toLowerCase();
        if (!words.every((word) => low.includes(word))) continue;
        for (let n = line && (ends[line - 1] as number); n < (ends[line] as number); n += 2) {
          const run = at[n] as number;
          const count = counts.get(run) ?? 0;
          if (count === MOST) continue;
          counts.set(run, count + 1);
          found.push({ test: this.#tests.get(run) ?? "", run, kind, text, t: at[n + 1] as number });
        }
      }
    }
    return found.sort((a, b) => a.run - b.run || a.t - b.t);
  }
}
