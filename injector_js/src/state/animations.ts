// Which animations run, and in which phase. CSS animations start again by themselves in a replay and only need their time; transitions and
// animations made by script need their keyframes too.

import { animationsOf } from "../dom.ts";
import type { AnimationState, AnimationsOp, Op } from "../encoding/ops.ts";
import { roundToTenth } from "../rounding.ts";
import type { StatePart } from "./part.ts";

/** The names of DOM events after which other animations may be running. */
export const ANIMATION_EVENTS = [
  "animationstart",
  "animationend",
  "animationcancel",
  "transitionrun",
  "transitionend",
  "transitioncancel",
];

/** More running animations than this in one document are not followed one by one. */
const MOST = 400;
/** ms between two looks while something is animated: no event tells of `pause()`, `reverse()` or a new time. */
const EVERY = 100;
/** ms by which an animation may run ahead or behind before its phase is said again. */
const DRIFT = 40;
/** ms for which a page may show no frame and still count as one that moves: the clock of its animations stands until the next. */
const LATE = 2_000;

interface Seen {
  key: number;
  readonly node: number;
  /** Page time at which its own time was zero; or its time while it stands still. */
  readonly origin: number;
  readonly running: boolean;
  readonly rate: number;
}

/** The duration that an animation by a scroller is told with, ms: its time is the part of it that has passed. */
const WHOLE = 100_000;

/** A key that sorts behind all others. */
const UNNUMBERED = Number.MAX_SAFE_INTEGER;
/** Scripts' own stay in their order, behind the others: of two for one property, the later one shows. */
const rank = ({ state, shared }: Told) => (state.type === "script" ? "~" : shared);
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const number = (value: CSSNumberish | null | undefined) => (typeof value === "number" ? value : 0);

/** What is to be told of an animation. Those whose `shared` is the same can be told together. */
interface Told {
  readonly seen: Seen;
  readonly name: string;
  readonly state: AnimationState;
  readonly shared: string;
}

/** Web Animations' own. */
const DEFAULTS: Readonly<Record<string, string | number>> = {
  delay: 0,
  direction: "normal",
  duration: 0,
  easing: "linear",
  endDelay: 0,
  fill: "auto",
  iterationStart: 0,
  iterations: 1,
  composite: "replace",
};

export class RunningAnimations implements StatePart {
  private readonly seen = new Map<Animation, Seen>();
  private next = 1;
  private dirty = true;
  private looked = 0;
  /** Whether a script has animations that go by a scroller, and not by time. */
  private driven = false;
  /** Whether a view transition goes on. */
  private blends = false;

  constructor(
    private readonly roots: () => Iterable<Document | ShadowRoot>,
    private readonly idOf: (node: Node) => number,
    private readonly alive: (id: number) => boolean,
    private readonly now: () => number,
    private readonly tooMany: (count: number) => void,
    /** A view transition has begun, of which a replay has the end alone. */
    private readonly blend: () => void,
  ) {}

  changed(): void {
    this.dirty = true;
  }

  scrolled(): void {
    if (this.driven) this.dirty = true;
  }

  clear(): void {
    this.seen.clear();
    this.dirty = true;
  }

  collect(ops: Op[]): void {
    if (!this.dirty && (this.seen.size === 0 || this.now() - this.looked < EVERY)) return;
    this.dirty = false;
    this.look(ops);
  }

  poll(ops: Op[]): void {
    this.look(ops);
  }

  /** Whether anything is animated, so that a look is worth while when nothing else happens. */
  get any(): boolean {
    return this.seen.size > 0;
  }

  private look(ops: Op[]): void {
    this.looked = this.now();
    const met = new Set<Animation>();
    const told: Told[] = [];
    const blended = this.blends;
    this.blends = false;
    for (const root of this.roots()) {
      const list = animationsOf(root);
      if (list.length > MOST) this.tooMany(list.length);
      for (const animation of list.slice(0, MOST)) {
        if (this.compare(animation, told)) met.add(animation);
      }
    }
    if (this.blends && !blended) this.blend();
    this.tell(told, ops);
    const ended: number[] = [];
    for (const [animation, seen] of this.seen) {
      if (met.has(animation)) continue;
      this.seen.delete(animation);
      // A removed element took its animations along in the model.
      if (this.alive(seen.node)) ended.push(seen.key);
    }
    if (ended.length > 0) ops.push(["unanim", ...ended]);
  }

  /** New ones are numbered so that those that are alike follow each other and can be told in one op. */
  private tell(told: Told[], ops: Op[]): void {
    told.sort((a, b) => a.seen.key - b.seen.key || order(rank(a), rank(b)) || order(a.name, b.name));
    let last: Told | null = null;
    let op: AnimationsOp = ["anims", 0, { type: "css", time: 0 }];
    for (const one of told) {
      const { seen, name, state, shared } = one;
      if (seen.key === UNNUMBERED) seen.key = this.next++;
      const goesOn = last !== null && shared === last.shared && seen.key === last.seen.key + 1;
      if (!goesOn) {
        op = ["anims", seen.key, state];
        ops.push(op);
      }
      if (!goesOn || name !== last?.name) op.push(name);
      op.push(seen.node);
      last = one;
    }
  }

  /** ms since the frame that an animation's own time is of. One that has not begun waits for the next frame. */
  private late({ startTime, timeline }: Animation): number {
    const shown = timeline?.currentTime;
    if (startTime === null || typeof shown !== "number") return 0;
    const late = this.looked - shown;
    return late < LATE ? late : 0;
  }

  /** False: there is nothing to be told of it now. */
  private compare(animation: Animation, told: Told[]): boolean {
    const effect = animation.effect as KeyframeEffect | null;
    if (!effect?.target) return false;
    if (isViewTransitionEffect(effect)) {
      this.blends = true;
      return false;
    }
    const node = this.idOf(effect.target);
    if (node === 0) return false;
    const driven = !(animation.timeline instanceof DocumentTimeline);
    // What style sheets tie to a scroller, the replay's own does again.
    if (driven && animation instanceof CSSAnimation) return false;
    const progress = driven ? effect.getComputedTiming().progress : 0;
    if (driven) this.driven = true;
    if (typeof progress !== "number") return false;
    const running = !driven && animation.playState === "running";
    const rate = driven ? 1 : animation.playbackRate;
    const time = driven
      ? progress * WHOLE
      : number(animation.currentTime) + (running ? this.late(animation) * rate : 0);
    const origin = running && rate !== 0 ? this.looked - time / rate : time;
    const before = this.seen.get(animation);
    // What waits for the next frame is told when it has gone on from there.
    const waits = running && animation.startTime === null;
    const near = before && before.running === running && before.rate === rate;
    if (near && (waits || Math.abs(before.origin - origin) < DRIFT)) return true;
    const seen: Seen = { key: before?.key ?? UNNUMBERED, node, origin, running, rate };
    this.seen.set(animation, seen);
    const state: AnimationState = { type: "script", time: roundToTenth(time) };
    let name = "";
    if (effect.pseudoElement) state.pseudo = effect.pseudoElement;
    if (rate !== 1) state.rate = rate;
    if (!running) state.running = false;
    if (animation instanceof CSSAnimation) {
      state.type = "css";
      name = animation.animationName;
    } else if (animation instanceof CSSTransition) {
      state.type = "transition";
      name = animation.transitionProperty;
    }
    if (state.type !== "css" && !before) describe(state, effect, name);
    if (driven && state.timing) {
      const { composite } = state.timing;
      state.timing = { duration: WHOLE, fill: "both", ...(composite ? { composite } : {}) };
    }
    told.push({ seen, name, state, shared: JSON.stringify(state) });
    return true;
  }
}

/** Returns whether an animation effect belongs to a view transition, whose pictures over the page cannot be recorded. */
export function isViewTransitionEffect({ pseudoElement }: KeyframeEffect): boolean {
  return /^::view/.test(`${pseudoElement}`);
}

/** Adds what no style sheet of the replay will tell: between which values, and how long. */
function describe(state: AnimationState, effect: KeyframeEffect, name: string): void {
  const keyframes = effect.getKeyframes();
  const timing = effect.getTiming();
  const said: Record<string, unknown> = {
    ...timing,
    duration: number(timing.duration as CSSNumberish),
    iterations: timing.iterations === Number.POSITIVE_INFINITY ? -1 : timing.iterations,
    composite: effect.composite,
  };
  const values = state.type === "transition" ? ends(keyframes, name) : null;
  if (values) {
    [state.from, state.to] = values;
    said.duration = roundToTenth(said.duration as number);
  } else {
    state.keyframes = keyframes.map(({ computedOffset: _, ...frame }) => frame as Record<string, string | number>);
  }
  state.timing = {};
  for (const [member, usual] of Object.entries(DEFAULTS)) {
    const value = said[member];
    if ((typeof value === "string" || typeof value === "number") && value !== usual) state.timing[member] = value;
  }
}

/** The two values of a transition, where its keyframes say nothing else: its property's name in camel case, as the player will write it. */
function ends(keyframes: ComputedKeyframe[], name: string): [string, string] | null {
  const property = name.startsWith("--") ? name : name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const values = keyframes.map(({ computedOffset, easing, composite, offset: _, [property]: value, ...more }, index) =>
    computedOffset === index && easing === "linear" && composite === "auto" && Object.keys(more).length === 0
      ? value
      : null,
  );
  const [from, to] = values;
  return values.length === 2 && typeof from === "string" && typeof to === "string" ? [from, to] : null;
}
