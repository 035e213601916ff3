// The player without its interface: reads the file, keeps the time, puts the page on the stage. The interface and `window.pagereel` drive it.

import { Clock } from "./clock/clock.ts";
import type { PlayerEvent } from "./decode/events.ts";
import { type ChunkEntry, type FileIndex, readEvents } from "./decode/pieces.ts";
import { Resources } from "./decode/resources.ts";
import type { DocumentLog } from "./history/document-log.ts";
import { Recording } from "./history/recording.ts";
import { findLastItemUntil } from "./history/time-search.ts";
import { type StoryItem, Story } from "./history/story.ts";
import { loadScript } from "./script-loading.ts";
import { waitUntilPainted, Stage } from "./paint/stage.ts";
import { paintProblems } from "./paint/problems.ts";
import { getTextContent } from "./state/forms.ts";
import { trieGet } from "./state/trie.ts";

/** What the player shows in its main area: the recorded page, the recorded screens, or the conversation. */
export type ShownView = "page" | "screens" | "conversation";
/** Where to seek: a time in ms, a mark by its name, a step by its number, or an event by its id. */
export type SeekTarget = number | { readonly mark: string } | { readonly step: number } | { readonly event: string };

/** The player of one recording: its time, its data, and the stage that shows the page. */
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
  /** What the reader chose to look at. */
  chosenTrack: ShownView = "page";
  /** What is still being painted beside the stage. */
  painted: Promise<void> | undefined;
  /** What went wrong while reading the file. */
  damage = "";
  /** What could not be shown as it was recorded. */
  readonly troubles: ReadonlySet<string> = paintProblems;
  /** What was asked for and is not there, until another moment is. */
  notice = "";
  /** Whether the newest moment is shown as it comes, of a recording that is being made. */
  following = false;
  /** What programs ask of a suite. */
  declare readonly suite?: object;
  /** Whether the first frame shows: what it does not need comes after it. */
  opened = false;
  #loading: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  /** What comes after the first look. */
  #look: (() => Promise<void>) | undefined;
  #loadedTo = -1;
  #seeks = 0;

  constructor(
    readonly index: FileIndex,
    host: HTMLElement,
    resources?: Resources,
  ) {
    this.story = new Story(index.duration);
    this.resources = resources ?? new Resources(index.resources);
    this.stage = new Stage(host, this.recording, this.resources);
    this.clock = new Clock({
      // Both grow while a recording is being made.
      get duration() {
        return index.duration;
      },
      get idle() {
        return index.idle;
      },
      onTick: (t) => this.show(t),
      onStop: () => {
        if (index.live && this.time >= index.duration) this.following = true;
        this.changed();
      },
    });
    this.resources.onReady(() => {
      if (!this.stage.whole) requestAnimationFrame(() => this.#paint());
    });
  }

  get duration(): number {
    return this.index.duration;
  }

  /** Whether the run opened no page. */
  get pageless(): boolean {
    return !this.index.live && !this.#chunks("page").length;
  }

  /** What there is to look at. */
  get tracks(): ShownView[] {
    const { pageless, story, index } = this;
    const tracks: ShownView[] = pageless ? [] : ["page"];
    if (index.screens) tracks.push("screens");
    if (pageless && (!index.screens || story.models.length)) tracks.push("conversation");
    return tracks;
  }

  get track(): ShownView {
    const { tracks, chosenTrack } = this;
    return tracks.includes(chosenTrack) ? chosenTrack : (tracks[0] as ShownView);
  }

  /** The page to look at now. */
  get page(): number {
    return this.pageAt(this.time);
  }

  pageAt(t: number): number {
    if (this.recording.pages.has(this.chosenPage)) return this.chosenPage; // A link can name one that is not there.
    const tab = findLastItemUntil(this.index.tabs, t, ([from]) => from) ?? this.index.tabs[0];
    return tab?.[1] ?? 1;
  }

  get playing(): boolean {
    return this.following || this.clock.playing;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #reading: Promise<void> | undefined;

  /** Reads the steps, the beginning of the pages, and what shows there if anything does at `start`. */
  read(start: SeekTarget | undefined): Promise<void> {
    this.#reading ??= (async () => {
      this.#loading = this.#load();
      if (!(typeof start === "number" && start < (this.index.opens ?? 0))) this.resources.warm();
      await this.runLoaded();
      await this.#until(-1);
    })();
    return this.#reading;
  }

  /**
   * Shows the first frame, then reads the rest in the background. Where no `start` is named, a run that failed opens at its failure and any
   * other when there is first something to see. Resolves when the first frame shows. Of a large page what is in sight shows first; `looked` is
   * awaited before the rest is built.
   */
  async open(start: SeekTarget | undefined, looked?: () => Promise<void>): Promise<void> {
    this.#look = async () => {
      await looked?.();
      if (this.stage.isLook) await waitUntilPainted();
    };
    await this.read(start);
    try {
      await this.seek(start ?? this.index.opens ?? 0);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      await this.seek(0); // A mark or step that is not there.
      this.tell(`${error.message} This is the beginning.`);
    }
    setTimeout(() => void this.#finish());
  }

  /** Shows another moment. Resolves when the DOM is in place, pictures and fonts are decoded and it is painted. */
  async seek(target: SeekTarget): Promise<number> {
    const named =
      typeof target === "object" && "event" in target
        ? loadScript("tools").findEventTime?.(this, target.event)
        : this.#resolve(target);
    const t = (await named) ?? this.time;
    this.notice = "";
    this.following = false;
    const turn = ++this.#seeks;
    this.clock.jump(t);
    await this.#until(t);
    const look = this.#look;
    this.#look = undefined;
    if (turn === this.#seeks) this.show(t, look !== undefined);
    await look?.();
    if (this.stage.isLook && turn === this.#seeks) this.#paint();
    for (let round = 0; round < 5 && !this.stage.whole; round++) {
      await this.resources.settled();
      if (turn === this.#seeks) this.#paint();
    }
    await this.stage.settled(this.time);
    await this.painted;
    return this.time;
  }

  /** Says what is not there: beside the page, and to whoever reads the console of an embedded one. */
  tell(notice: string): void {
    console.warn(notice);
    this.notice = notice;
    this.changed();
  }

  play(): void {
    if (this.index.live && this.time >= this.duration) this.following = true;
    else this.clock.play(this.time);
    this.changed();
  }

  pause(): void {
    this.clock.pause();
    this.following = false;
    this.changed();
  }

  /** Shows the last moment that is there, of a recording that is being made; `follow`: and those that come. */
  newest(follow = this.following): void {
    this.clock.pause();
    this.following = follow;
    this.clock.jump(this.duration);
    this.show(this.duration);
  }

  choosePage(page: number, track: ShownView = "page"): void {
    this.chosenPage = page;
    this.chosenTrack = track;
    this.#paint();
    this.changed();
  }

  /** Says so when a link names a page that there is not; which ones there are is known when all is read. */
  async missed(page: number): Promise<void> {
    await this.#loading;
    if (page && !this.recording.pages.has(page) && !this.notice) this.tell(`There is no page ${page}.`);
  }

  /** The element that an action used, as far as the page saw it: where it pressed, typed or put the focus. */
  actionNode({ time, event }: StoryItem): { d: number; id: number } | undefined {
    if (/^wait/.test(event.method as string)) return undefined; // It only stood beside.
    const end = time + Number(event.duration ?? 0) + 30;
    for (const log of this.recording.documents.values()) {
      if (event.page !== undefined && log.page !== event.page) continue;
      const used = [...log.presses, ...log.keys].find((item) => item.t >= time && item.t <= end && item.node > 0);
      if (used) return { d: log.d, id: used.node };
    }
    return undefined;
  }

  /** The steps in which something was pressed or typed at a node or within it, with when. */
  stepsThatTouched(d: number, id: number): Map<number, number> {
    const found = new Map<number, number>();
    const log = this.recording.documents.get(d);
    if (!log) return found;
    const { nodes } = log.stateAt(this.time);
    for (const { t, node } of [...log.presses, ...log.keys]) {
      let at = trieGet(nodes, node);
      while (at && at.id !== id) at = trieGet(nodes, at.parent);
      const step = at && this.story.stepAt(t);
      if (step && !found.has(step.id)) found.set(step.id, t);
    }
    return found;
  }

  /** The title of a document as its tree has it now. */
  titleOf(log: DocumentLog): string {
    const version = log.stateAt(this.time, this.stage.isLook);
    const find = (id: number, depth: number): string | undefined => {
      for (const child of trieGet(version.nodes, id)?.children ?? []) {
        const node = trieGet(version.nodes, child);
        if (node?.tag === "title") return getTextContent(version, node).trim();
        const found = depth > 0 && (node?.tag === "html" || node?.tag === "head") ? find(child, depth - 1) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return find(version.root, 2) ?? log.title;
  }

  #resolve(target: Exclude<SeekTarget, { event: string }>): number {
    const { marks, steps } = this.story;
    if (typeof target === "number") {
      if (!Number.isFinite(target)) throw new RangeError(`${target} is no time.`);
      return Math.min(Math.max(0, target), this.duration);
    }
    const found = "mark" in target ? marks.find((mark) => mark.name === target.mark) : this.story.step(target.step);
    if (found) return Math.min(Math.max(0, found.time), this.duration);
    if ("mark" in target) throw new RangeError(`There is no mark "${target.mark}".`);
    const meant = steps[target.step - 1];
    throw new RangeError(
      `There is no step with the id ${target.step}${meant ? `: step ${target.step} has the id ${meant.id}` : ""}.`,
    );
  }

  /** Shows another moment at once, with what is there of it. */
  show(t: number, look = false): void {
    this.time = t;
    this.#paint(look);
    this.changed();
  }

  #paint(look = false): void {
    this.stage.paint(this.page, this.time, look);
  }

  // -- reading -----------------------------------------------------------------------------------------------------------

  #loadingRun: Promise<void> | undefined;

  /** Resolves when steps, marks and all else that explains are there. */
  runLoaded(): Promise<void> {
    this.#loadingRun ??= (async () => {
      for (const number of this.#chunks("run")) this.story.add(await this.#read(number));
    })().catch((error) => this.fail(error));
    return this.#loadingRun;
  }

  async #load(): Promise<void> {
    try {
      for (const number of this.#chunks("page")) {
        await this.#turn();
        this.recording.add(await this.#read(number));
        this.#loadedTo = this.index.chunks[number]?.[2] ?? this.duration;
        for (const [t, go] of this.#waiters) if (t < this.#loadedTo) go();
      }
    } catch (error) {
      this.fail(error);
    }
    this.#loadedTo = this.recording.loaded = Number.POSITIVE_INFINITY;
    for (const [, go] of this.#waiters) go();
  }

  #goOn = (): void => {};

  /** Resolves when more of the pages is to be read: before the first frame shows, what somebody waits for. */
  async #turn(): Promise<void> {
    const { opened, chosenPage, recording } = this;
    if (opened || this.#waiters.size || (chosenPage && !recording.pages.has(chosenPage))) return;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
  }

  readonly #waiters = new Set<readonly [number, () => void]>();

  /** Resolves when all page events up to `t` are there; an event at `t` itself may stand in the next chunk. */
  #until(t: number): Promise<void> {
    if (t < this.#loadedTo) return Promise.resolve();
    return new Promise((resolve) => {
      const waiter = [
        t,
        () => {
          this.#waiters.delete(waiter);
          resolve();
        },
      ] as const;
      this.#waiters.add(waiter);
      this.#goOn();
    });
  }

  /** All events of the file, anew: the page's, then the run's. */
  async *events(): AsyncGenerator<PlayerEvent> {
    for (const stream of ["page", "run"]) for (const number of this.#chunks(stream)) yield* await this.#read(number);
  }

  #read(number: number): ReturnType<typeof readEvents> {
    return readEvents(number, this.index.chunks[number] as ChunkEntry);
  }

  #chunks(stream: string): number[] {
    return this.index.chunks.flatMap(([of], number) => (of === stream ? [number] : []));
  }

  async #finish(): Promise<void> {
    this.opened = true;
    this.#goOn();
    this.changed();
    await this.#loading;
    await this.resources.prefetch((error) => this.fail(error));
    // Keyframes ahead of need, in slices that leave the page free.
    while (!this.recording.prepare(performance.now() + 8)) await new Promise((resolve) => setTimeout(resolve, 16));
    this.changed();
  }

  /** Says that the file is damaged, beside the page. */
  fail(error: unknown): void {
    this.damage = error instanceof Error ? error.message : String(error);
    this.changed();
  }
}
