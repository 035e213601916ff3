// The tests of a file, and the one that is open. To the interface's API it is a player: the one of the open test.

import { type ChunkEntry, freeLongTexts } from "../decode/pieces.ts";
import type { PieceReader } from "../decode/file-pieces.ts";
import { parseUrlFragment } from "../url-fragment.ts";
import { Player, type SeekTarget } from "../player.ts";
import { FailurePictureQueue } from "./picture-queue.ts";
import { RunResources } from "./resources.ts";
import { SuiteSearch, type SearchMatch } from "./search.ts";
import { type TestRecording, type RunIndex, getTestRecording, type SuiteIndex, type TestEntry } from "./tests.ts";

/** The player of one recording in a suite's file. */
export type RunPlayer = Player & { readonly resources: RunResources };

/** The test that is open: its recording, its player, and the element that shows them. */
export interface OpenTest {
  readonly test: TestEntry;
  readonly run: TestRecording;
  readonly player: RunPlayer;
  readonly host: HTMLElement;
}

/** Recordings whose indexes are one piece (reel/replay_pieces.py). */
const GROUP = 16;
/** How often the long texts of all tests are let go while one of them is open, ms: it keeps those that it has. */
const SWEEP = 5000;

/** The tests of a suite's file, and the one that is open. */
export class Suite {
  readonly tests: readonly TestEntry[];
  /** Pieces of the file with what is searched. */
  readonly slices: number;
  readonly words = new SuiteSearch((slice) => this.#json(`words-${slice}`), this);
  readonly pictures = new FailurePictureQueue(
    (n, host) => this.player(n, host),
    () => this.words.prepare(),
  );
  opened: OpenTest | undefined;
  /** What was asked for and is not there. */
  notice = "";
  #hash = "";
  #turn = 0;
  #sweep: ReturnType<typeof setInterval> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly index: SuiteIndex,
    private readonly read: PieceReader,
  ) {
    this.tests = index.tests;
    this.slices = index.words;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Makes the player of a recording, which reads it when it is asked to. */
  async player(n: number, host: HTMLElement): Promise<RunPlayer> {
    const group = (await this.#json(`test-${Math.floor(n / GROUP)}`)) as readonly RunIndex[];
    const index = group[n % GROUP] as RunIndex;
    const chunks: ChunkEntry[] = []; // Those of other recordings are not there: the numbers are those of the file.
    index.chunks.forEach((entry, at) => {
      chunks[index.first + at] = entry;
    });
    const { resources } = this.index;
    const own = new RunResources(resources, this.read, index.packs);
    return new Player({ ...index, chunks, resources } as never, host, own) as RunPlayer;
  }

  /** Opens a test at the moment of its failure, or where it begins. Resolves when that shows. */
  open(id: string): Promise<void> {
    return this.go(`#test=${encodeURIComponent(id)}`);
  }

  /** Shows the list. */
  close(): void {
    void this.go("#");
  }

  /** Shows what a fragment asks for. */
  go(hash: string): Promise<void> {
    location.hash = hash;
    return this.route();
  }

  /** Shows what the address asks for. */
  async route(): Promise<void> {
    const { hash } = location;
    if (hash === this.#hash) return;
    this.#hash = hash;
    const turn = ++this.#turn;
    const parts = new URLSearchParams(hash.slice(1));
    const id = parts.get("test");
    const { target, bare, page } = parseUrlFragment(hash);
    const test = this.tests.find((each) => each.id === id);
    const run = test && (getTestRecording(test, Number(parts.get("run") ?? test.shown)) ?? getTestRecording(test));
    this.notice = id === null || run ? "" : test ? `There is no recording of ${test.name}.` : `There is no test ${id}.`;
    document.documentElement.classList.toggle("bare", bare && !!run);
    if (!test || !run) {
      this.#leave();
      if (this.notice) throw new RangeError(this.notice);
      return;
    }
    const open = this.opened;
    if (open?.run.n === run.n) {
      if (target !== undefined || page) open.player.choosePage(page);
      if (target !== undefined) await this.#seek(open.player, target);
      open.player.changed();
      return;
    }
    this.#leave();
    try {
      await this.#show(test, run, turn, target, page);
    } catch (error) {
      if (turn === this.#turn) {
        this.notice = `${test.name} cannot be shown: ${(error as Error).message}`;
        this.#hash = ""; // It may be asked for again.
        this.#leave();
      }
      throw error;
    }
    if (turn !== this.#turn) throw new Error(`${test.name} is not open: another test was asked for meanwhile.`);
  }

  async #show(
    test: TestEntry,
    run: TestRecording,
    turn: number,
    target: SeekTarget | undefined,
    page: number,
  ): Promise<void> {
    const host = Object.assign(document.createElement("div"), { className: "pages" });
    const player = await this.player(run.n, host);
    player.chosenPage = page;
    await player.read(target);
    if (turn !== this.#turn) return;
    this.opened = { test, run, player, host };
    this.#sweep = setInterval(freeLongTexts, SWEEP);
    this.changed();
    await player.open(target);
    void player.missed(page);
  }

  async #seek(player: Player, target: SeekTarget): Promise<void> {
    await player.seek(target).catch((error: Error) => player.tell(error.message));
  }

  #leave(): void {
    const { opened } = this;
    opened?.player.pause();
    this.opened = undefined;
    clearInterval(this.#sweep);
    this.changed();
    opened?.player.resources.release();
    freeLongTexts();
  }

  async #json(name: string): Promise<unknown> {
    return JSON.parse(new TextDecoder().decode(await this.read(name)));
  }

  search(text: string): Promise<SearchMatch[]> {
    return this.words.search(text);
  }
}
