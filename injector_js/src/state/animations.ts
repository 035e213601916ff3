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
  readonly key: number;
  readonly node: number;
  /** Page time at which its own time was zero; or its time while it stands still. */
  origin: number;
  running: boolean;
  rate: number;
}

const round = (value: number) => Math.round(value * 10) / 10;
const number = (value: CSSNumberish | null | undefined) => (typeof value === "number" ? value : 0);

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
    for (const root of this.roots()) {
      const list = root.getAnimations();
      if (list.length > MOST) this.tooMany(list.length);
      for (const animation of list.slice(0, MOST)) {
        met.add(animation);
        this.compare(animation, ops);
      }
    }
    for (const [animation, seen] of this.seen) {
      if (met.has(animation)) continue;
      this.seen.delete(animation);
      // A removed element took its animations along in the model.
      if (this.alive(seen.node)) ops.push(["anim", seen.node, seen.key, null]);
    }
  }

  private compare(animation: Animation, ops: Op[]): void {
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
    const key = seen?.key ?? this.next++;
    this.seen.set(animation, { key, node, origin, running, rate });
    const state: AnimationState = { type: "script", time: round(time), rate, running };
    if (effect.pseudoElement) state.pseudo = effect.pseudoElement;
    if (animation instanceof CSSAnimation) {
      state.type = "css";
      state.name = animation.animationName;
    } else {
      if (animation instanceof CSSTransition) {
        state.type = "transition";
        state.name = animation.transitionProperty;
      }
      if (!seen) {
        state.keyframes = effect
          .getKeyframes()
          .map(({ computedOffset: _, ...frame }) => frame as Record<string, string | number>);
        const { delay, direction, duration, easing, endDelay, fill, iterationStart, iterations } = effect.getTiming();
        state.timing = {
          delay: number(delay),
          direction: direction ?? "normal",
          duration: typeof duration === "number" ? duration : 0,
          easing: easing ?? "linear",
          endDelay: number(endDelay),
          fill: fill ?? "none",
          iterationStart: iterationStart ?? 0,
          composite: effect.composite,
          iterations: iterations === Number.POSITIVE_INFINITY ? -1 : (iterations ?? 1),
        };
      }
    }
    ops.push(["anim", node, key, state]);
  }
}
