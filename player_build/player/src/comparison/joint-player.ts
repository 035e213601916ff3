// Two players on one clock. To the interface it is a player: it has a time, a clock, and tells of each change.

import { Clock } from "../clock/clock.ts";
import type { FileIndex } from "../decode/pieces.ts";
import { Resources } from "../decode/resources.ts";
import { Player, type SeekTarget } from "../player.ts";
import { findCommonIdleSpans, convertClockTime } from "./clock.ts";
import { type Difference, RUN_SIDES, type RunSide, type ComparisonData } from "./data.ts";

/** Ms after a difference first showed at which it is looked at: times in the file are rounded. */
const AFTER = 1;

/** The players of both runs, which play together on the joint clock. */
export class JointPlayer {
  readonly told: ComparisonData;
  readonly halves: Readonly<Record<RunSide, Player>>;
  readonly hosts: Readonly<Record<RunSide, HTMLElement>>;
  readonly clock: Clock;
  readonly duration: number;
  /** The differences in their order, by their places in `told`. */
  readonly order: readonly number[];
  /** ms on the joint clock. */
  time = 0;
  /** The difference that was chosen, by its place. */
  chosen: number | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(readonly index: FileIndex) {
    this.told = index.told as ComparisonData;
    const resources = new Resources(index.resources);
    const [a, b] = index.halves as readonly [FileIndex, FileIndex];
    this.hosts = { a: host(), b: host() };
    this.halves = { a: new Player(a, this.hosts.a, resources), b: new Player(b, this.hosts.b, resources) };
    this.duration = this.told.clock.at(-1)?.[0] ?? 0;
    this.order = this.told.differences.map((_, place) => place);
    this.clock = new Clock({
      duration: this.duration,
      idle: findCommonIdleSpans(this.told.clock, { a: a.idle, b: b.idle }),
      onTick: (u) => this.show(u),
      onStop: () => this.changed(),
    });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The time of one run at `u` of the joint clock. */
  timeOf(side: RunSide, u = this.time): number {
    return convertClockTime(this.told.clock, u, "u", side);
  }

  /** Goes where they part, or to what is asked for, before anything is read: the interface says so from its first frame on. */
  aim(target: SeekTarget | undefined): void {
    const first = this.told.divergence?.difference;
    // Not before there is something to see of both.
    const opens = RUN_SIDES.map((side) => this.jointOf(side, this.halves[side].index.opens ?? 0));
    if (typeof target === "number" && Number.isFinite(target)) this.time = this.#within(target);
    else if (first !== undefined) {
      this.chosen = first;
      this.time = this.#within(Math.max(this.#momentOf(first), ...opens));
    } else this.time = this.#within(Math.max(...opens));
    this.clock.jump(this.time);
  }

  /** Reads both recordings, and shows that moment of them: what is in sight of both, then the rest. */
  async open(): Promise<void> {
    let waiting = RUN_SIDES.length;
    let go: () => void;
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    const looked = (): Promise<void> => {
      if (!--waiting) go();
      return both;
    };
    await Promise.all(RUN_SIDES.map((side) => this.halves[side].open(this.timeOf(side), looked)));
    this.changed();
  }

  /** Resolves when both pages show it. */
  async seek(target: SeekTarget): Promise<number> {
    if (typeof target !== "number" || !Number.isFinite(target)) throw new RangeError(`${String(target)} is no time.`);
    this.time = this.#within(target);
    this.clock.jump(this.time);
    this.changed();
    await Promise.all(RUN_SIDES.map((side) => this.halves[side].seek(this.timeOf(side))));
    this.changed();
    return this.time;
  }

  show(u: number): void {
    this.time = u;
    for (const side of RUN_SIDES) this.halves[side].show(this.timeOf(side));
    this.changed();
  }

  play(): void {
    this.clock.play(this.time);
    this.changed();
  }

  pause(): void {
    this.clock.pause();
  }

  /** Chooses a difference, and goes to where it shows. */
  choose(place: number): Promise<number> {
    this.chosen = place;
    return this.seek(this.#momentOf(place));
  }

  /** To the difference after the one that is chosen, or before it. */
  step(by: 1 | -1): void {
    const at = this.chosen === null ? this.#near(by) : this.order.indexOf(this.chosen) + by;
    const place = this.order[at];
    if (place !== undefined) void this.choose(place);
  }

  /** To the step after this moment, or before it. */
  goToStep(by: 1 | -1): void {
    const moments = this.told.pairs
      .flatMap((pair) =>
        RUN_SIDES.flatMap((side) => (pair[side]?.[0] === "step" ? [this.jointOf(side, pair[side][2])] : [])),
      )
      .sort((x, y) => x - y);
    const target =
      by > 0 ? moments.find((moment) => moment > this.time + 1) : moments.findLast((moment) => moment < this.time - 1);
    void this.seek(target ?? (by > 0 ? this.duration : 0));
  }

  /** The moment of the joint clock for one of a run. */
  jointOf(side: RunSide, t: number): number {
    return convertClockTime(this.told.clock, t, side, "u");
  }

  // What else a player is asked for (api.ts, ui/state.ts).

  get story() {
    return this.halves.b.story;
  }
  get stage() {
    return this.halves.b.stage;
  }
  get recording() {
    return this.halves.b.recording;
  }
  get page(): number {
    return this.halves.b.page;
  }
  get troubles() {
    return this.halves.b.troubles;
  }
  choosePage(): void {}
  async runLoaded(): Promise<void> {}

  #near(by: 1 | -1): number {
    const at = this.order.findIndex((place) => (this.told.differences[place] as Difference).u > this.time);
    const next = at < 0 ? this.order.length : at;
    return by > 0 ? next : next - 1;
  }

  #momentOf(place: number): number {
    return this.#within((this.told.differences[place]?.u ?? 0) + AFTER);
  }

  #within(u: number): number {
    return Math.min(this.duration, Math.max(0, u));
  }
}

function host(): HTMLElement {
  return Object.assign(document.createElement("div"), { className: "pages" });
}
