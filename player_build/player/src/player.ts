// The player without its interface: reads the file, keeps the time, puts the page on the stage. The interface and `window.pagereel` drive it.

import { Clock } from "./clock/clock.ts";
import { type Index, readEvents } from "./decode/pieces.ts";
import { Resources } from "./decode/resources.ts";
import type { DocumentLog } from "./history/log.ts";
import { Recording } from "./history/recording.ts";
import { lastUpTo } from "./history/search.ts";
import { Story } from "./history/story.ts";
import { painted, Stage } from "./paint/stage.ts";
import { textContent } from "./state/forms.ts";
import { trieGet } from "./state/trie.ts";

export type Target = number | { readonly mark: string } | { readonly step: number };

export class Player {
  readonly recording = new Recording();
  readonly story: Story;
  readonly resources: Resources;
  readonly clock: Clock;
  readonly stage: Stage;
  /** ms on the recording's clock. */
  time = 0;
  /** The page (tab) that the reader chose; 0: the one that was in use at the time. */
  chosenPage = 0;
  /** What went wrong while reading the file. */
  damage = "";
  private loading: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<() => void>();
  private loadedTo = -1;
  private seeks = 0;

  constructor(
    readonly index: Index,
    host: HTMLElement,
  ) {
    this.story = new Story(index.duration);
    this.resources = new Resources(index.resources);
    this.stage = new Stage(host, this.recording, this.resources);
    this.clock = new Clock({
      duration: index.duration,
      idle: index.idle,
      onTick: (t) => this.show(t),
      onStop: () => this.changed(),
    });
    this.resources.onReady(() => {
      if (!this.stage.whole) requestAnimationFrame(() => this.paint());
    });
  }

  get duration(): number {
    return this.index.duration;
  }

  /** The page to look at now. */
  get page(): number {
    if (this.chosenPage) return this.chosenPage;
    const tab = lastUpTo(this.index.tabs, this.time, ([t]) => t) ?? this.index.tabs[0];
    return tab?.[1] ?? 1;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Shows the first frame at `start`, then reads the rest in the background. Resolves when `start` shows. */
  async open(start: Target): Promise<void> {
    this.loading = this.load();
    await this.runLoaded();
    try {
      await this.seek(start);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      await this.seek(0); // A mark or step that is not there.
    }
    void this.finish();
  }

  /** Shows another moment. Resolves when the DOM is in place, pictures and fonts are decoded and it is painted. */
  async seek(target: Target): Promise<number> {
    const t = this.resolve(target);
    const turn = ++this.seeks;
    this.clock.jump(t);
    await this.until(t);
    if (turn === this.seeks) this.show(t);
    for (let round = 0; round < 5; round++) {
      await this.resources.settled();
      if (turn === this.seeks) this.paint();
      if (this.stage.whole) break;
    }
    await this.stage.settled(this.time);
    await painted();
    return this.time;
  }

  play(): void {
    this.clock.play(this.time);
    this.changed();
  }

  pause(): void {
    this.clock.pause();
  }

  choosePage(page: number): void {
    this.chosenPage = page;
    this.paint();
    this.changed();
  }

  /** The title of a document as its tree has it now. */
  titleOf(log: DocumentLog): string {
    const version = log.stateAt(this.time);
    const find = (id: number, depth: number): string | undefined => {
      for (const child of trieGet(version.nodes, id)?.children ?? []) {
        const node = trieGet(version.nodes, child);
        if (node?.tag === "title") return textContent(version, node).trim();
        const found = depth > 0 && (node?.tag === "html" || node?.tag === "head") ? find(child, depth - 1) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return find(version.root, 2) ?? log.title;
  }

  private resolve(target: Target): number {
    let t = 0;
    if (typeof target === "number") t = target;
    else if ("mark" in target) {
      const mark = this.story.marks.find((item) => item.name === target.mark);
      if (!mark)
        throw new RangeError(
          `There is no mark "${target.mark}"; there are: ${this.story.marks.map((item) => item.name).join(", ") || "none"}.`,
        );
      t = mark.time;
    } else {
      const step = this.story.steps.find((item) => item.id === target.step);
      if (!step)
        throw new RangeError(
          `There is no step ${target.step}; there are: ${this.story.steps.map((item) => item.id).join(", ") || "none"}.`,
        );
      t = step.time;
    }
    if (!Number.isFinite(t)) throw new RangeError(`${t} is no time; give milliseconds from 0 to ${this.duration}.`);
    return Math.min(Math.max(0, t), this.duration);
  }

  private show(t: number): void {
    this.time = t;
    this.paint();
    this.changed();
  }

  private paint(): void {
    this.stage.paint(this.page, this.time);
  }

  // -- reading -----------------------------------------------------------------------------------------------------------

  private loadingRun: Promise<void> | undefined;

  /** Resolves when steps, marks and all else that explains are there. */
  runLoaded(): Promise<void> {
    this.loadingRun ??= (async () => {
      for (const number of this.chunks("run")) this.story.add(await readEvents(number));
    })().catch((error) => this.fail(error));
    return this.loadingRun;
  }

  private async load(): Promise<void> {
    try {
      for (const number of this.chunks("page")) {
        this.recording.add(await readEvents(number));
        this.loadedTo = this.index.chunks[number]?.[2] ?? this.duration;
        for (const [t, go] of this.waiters) if (t < this.loadedTo) go();
      }
    } catch (error) {
      this.fail(error);
    }
    this.loadedTo = Number.POSITIVE_INFINITY;
    for (const [, go] of this.waiters) go();
  }

  private readonly waiters = new Set<readonly [number, () => void]>();

  /** Resolves when all page events up to `t` are there; an event at `t` itself may stand in the next chunk. */
  private until(t: number): Promise<void> {
    if (t < this.loadedTo) return Promise.resolve();
    return new Promise((resolve) => {
      const waiter = [
        t,
        () => {
          this.waiters.delete(waiter);
          resolve();
        },
      ] as const;
      this.waiters.add(waiter);
    });
  }

  private chunks(stream: string): number[] {
    return this.index.chunks.flatMap(([of], number) => (of === stream ? [number] : []));
  }

  private async finish(): Promise<void> {
    await this.loading;
    await this.resources.prefetch();
    // Keyframes ahead of need, in slices that leave the page free.
    while (!this.recording.prepare(performance.now() + 8)) await new Promise((resolve) => setTimeout(resolve, 16));
    this.changed();
  }

  private fail(error: unknown): void {
    this.damage = error instanceof Error ? error.message : String(error);
    this.changed();
  }
}
