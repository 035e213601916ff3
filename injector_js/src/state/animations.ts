// Which animations run, and in which phase. CSS animations start again by themselves in a replay and only need their time; transitions and
// animations made by script need their keyframes too.

import type { AnimationState, Op } from "../encoding/ops.ts";
import type { StateTracker } from "./tracker.ts";

/** Events that say that the set of animations has changed. */
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

interface Seen {
  key: number;
  node: number;
  /** Page time at which its own time was zero; or its time while it stands still. */
  origin: number;
  running: boolean;
  rate: number;
}

const round = (value: number) => Math.round(value * 10) / 10;
const number = (value: CSSNumberish | null | undefined) => (typeof value === "number" ? value : 0);

/** Animations that have begun, alike but for their names and elements: by what they share, then by name. */
type Begun = Map<string, { state: AnimationState; names: Map<string, Seen[]> }>;

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

export class Animations implements StateTracker {
  private readonly seen = new Map<Animation, Seen>();
  private next = 1;
  private dirty = true;
  private looked = 0;

  constructor(
    private readonly roots: () => Iterable<Document | ShadowRoot>,
    private readonly idOf: (node: Node) => number,
    private readonly alive: (id: number) => boolean,
    private readonly now: () => number,
    private readonly tooMany: (count: number) => void,
  ) {}

  changed(): void {
    this.dirty = true;
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

  pulse(ops: Op[]): void {
    this.look(ops);
  }

  /** Whether anything is animated, so that a look is worth while when nothing else happens. */
  get any(): boolean {
    return this.seen.size > 0;
  }

  private look(ops: Op[]): void {
    this.looked = this.now();
    const met = new Set<Animation>();
    const begun: Begun = new Map();
    for (const root of this.roots()) {
      const list = root.getAnimations();
      if (list.length > MOST) this.tooMany(list.length);
      for (const animation of list.slice(0, MOST)) {
        met.add(animation);
        this.compare(animation, begun, ops);
      }
    }
    for (const { state, names } of begun.values()) ops.push(["anims", this.next, state, ...this.numbered(names)]);
    const ended: number[] = [];
    for (const [animation, seen] of this.seen) {
      if (met.has(animation)) continue;
      this.seen.delete(animation);
      // A removed element took its animations along in the model.
      if (this.alive(seen.node)) ended.push(seen.key);
    }
    if (ended.length > 0) ops.push(["unanim", ...ended]);
  }

  /** Each name with its elements; the animations get their numbers in this order. */
  private *numbered(names: Map<string, Seen[]>): Iterable<string | number> {
    for (const [name, all] of names) {
      yield name;
      for (const seen of all) {
        seen.key = this.next++;
        yield seen.node;
      }
    }
  }

  private compare(animation: Animation, begun: Begun, ops: Op[]): void {
    const effect = animation.effect as KeyframeEffect | null;
    if (!effect?.target) return;
    const node = this.idOf(effect.target);
    if (node === 0) return;
    const time = number(animation.currentTime);
    const running = animation.playState === "running";
    const rate = animation.playbackRate;
    const origin = running && rate !== 0 ? this.now() - time / rate : time;
    const seen = this.seen.get(animation);
    if (seen && seen.running === running && seen.rate === rate && Math.abs(seen.origin - origin) < DRIFT) return;
    const state: AnimationState = { type: "script", time: round(time) };
    let name = "";
    if (effect.pseudoElement) state.pseudo = effect.pseudoElement;
    if (animation instanceof CSSAnimation) {
      state.type = "css";
      name = animation.animationName;
    } else if (animation instanceof CSSTransition) {
      state.type = "transition";
      name = animation.transitionProperty;
    }
    if (seen) {
      Object.assign(seen, { node, origin, running, rate });
      if (name) state.name = name;
      ops.push(["anim", node, seen.key, { ...state, rate, running }]);
      return;
    }
    if (rate !== 1) state.rate = rate;
    if (!running) state.running = false;
    if (state.type !== "css") describe(state, effect, name);
    const now = { key: 0, node, origin, running, rate };
    this.seen.set(animation, now);
    const shared = JSON.stringify(state);
    const alike = begun.get(shared) ?? { state, names: new Map<string, Seen[]>() };
    const named = alike.names.get(name) ?? [];
    begun.set(shared, alike);
    alike.names.set(name, named);
    named.push(now);
  }
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
    said.duration = round(said.duration as number);
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
