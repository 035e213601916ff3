// SVG's animations (SMIL). Each outermost `<svg>` has a clock, which scripts stop and set (`pauseAnimations()`, `setCurrentTime()`), and an
// animation may begin and end when a script or a person wants it (`beginElement()`, `begin="click"`). Nothing tells of the clock; of
// animations events do (`beginEvent`, `endEvent`), and the browser says on that clock when the one that runs has begun.

import { namespaceURI, SVG_NAMESPACE } from "../dom.ts";
import type { SvgDrawingState, Op } from "../encoding/ops.ts";
import { roundToThousandth } from "../rounding.ts";
import type { StatePart } from "./part.ts";

export const SVG_TIME_EVENTS = ["beginEvent", "endEvent", "repeatEvent"];

const ANIMATIONS = new Set(["animate", "animateMotion", "animateTransform", "set"]);
/** Animations asked in one poll. */
const LIMIT = 300;
/** Seconds by which a clock may run ahead or behind before its time is said again. */
const DRIFT = 0.05;

interface Clock {
  /** The page's time in s at which it was zero; or its time, while it stands. */
  origin: number;
  paused: boolean;
}

/** Records the clocks of SVG animations (SMIL), which scripts can stop and set. */
export class SvgClocks implements StatePart {
  private readonly animations = new Map<number, SVGAnimationElement>();
  /** When those that run, or ran last, have begun, as was told: s. */
  private readonly begun = new Map<number, number>();
  private readonly ended = new Set<number>();
  private readonly clocks = new Map<SVGSVGElement, Clock>();
  private readonly dirty = new Set<number>();

  constructor(
    private readonly idOf: (node: Node) => number,
    private readonly now: () => number,
  ) {}

  meet(element: Element, id: number): void {
    if (namespaceURI(element) !== SVG_NAMESPACE || !ANIMATIONS.has(element.localName)) return;
    this.animations.set(id, element as SVGAnimationElement);
    this.dirty.add(id);
  }

  /** After an event of an animation. */
  changed(element: Element): void {
    const id = this.idOf(element);
    if (this.animations.has(id)) this.dirty.add(id);
  }

  forget(id: number): void {
    for (const known of [this.animations, this.begun, this.ended, this.dirty]) known.delete(id);
  }

  clear(): void {
    for (const known of [this.animations, this.begun, this.ended, this.dirty, this.clocks]) known.clear();
  }

  collect(ops: Op[]): void {
    for (const id of this.dirty) this.ask(id, ops);
    this.dirty.clear();
    for (const [svg, clock] of this.clocks) {
      const id = this.idOf(svg);
      if (id === 0) this.clocks.delete(svg);
      else this.compare(svg, id, clock, ops);
    }
  }

  poll(ops: Op[]): void {
    let left = LIMIT;
    // Of one that begins an event tells; of one that is made to end, or whose clock is set back, too late.
    for (const id of this.begun.keys()) if (left-- > 0 && !this.ended.has(id)) this.ask(id, ops);
  }

  private compare(svg: SVGSVGElement, id: number, told: Clock, ops: Op[]): void {
    const time = svg.getCurrentTime();
    const paused = svg.animationsPaused();
    const origin = paused ? time : this.now() / 1000 - time;
    if (paused === told.paused && Math.abs(origin - told.origin) < DRIFT) return;
    this.clocks.set(svg, { origin, paused });
    ops.push(["drawing", id, { time: roundToThousandth(time), paused }]);
  }

  private ask(id: number, ops: Op[]): void {
    const animation = this.animations.get(id);
    let svg = animation?.ownerSVGElement;
    for (let outer = svg; outer; outer = outer.ownerSVGElement) svg = outer;
    if (!animation || !svg) return;
    if (!this.clocks.has(svg)) this.clocks.set(svg, { origin: Number.NaN, paused: false });
    const begin = beginOf(animation);
    const before = this.begun.get(id);
    if (begin !== null) {
      if (begin === before && !this.ended.delete(id)) return;
      this.begun.set(id, begin);
      // What begins with its drawing does so in the replay.
      if (before !== undefined || begin > 0 || animation.getAttribute("begin"))
        ops.push(["drawing", id, { begin: roundToThousandth(begin) }]);
    } else if (before !== undefined && !this.ended.has(id)) {
      const end = svg.getCurrentTime();
      const state: SvgDrawingState = {};
      // A clock that was set back has not come to it again.
      if (end < before) this.begun.delete(id);
      else {
        this.ended.add(id);
        state.begin = roundToThousandth(before);
        state.end = roundToThousandth(end);
      }
      ops.push(["drawing", id, state]);
    }
  }
}

/** On the clock of its drawing, s; null: it does not run. */
function beginOf(animation: SVGAnimationElement): number | null {
  try {
    return animation.getStartTime();
  } catch {
    return null;
  }
}
