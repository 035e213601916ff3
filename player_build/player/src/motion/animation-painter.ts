// Motion as a function of time: every animation stands still and is put into the phase that it had. Nothing moves by the browser's clock.

import type { Json } from "../decode/events.ts";
import type { DocumentVersion } from "../state/document-version.ts";
import { type AnimationState, computeAnimationTime } from "../state/animation-state.ts";
import { tryToPaint } from "../paint/problems.ts";

const FILLS = new Set(["none", "forwards", "backwards", "both", "auto"]);
const DIRECTIONS = new Set(["normal", "reverse", "alternate", "alternate-reverse"]);

interface Made {
  readonly state: AnimationState;
  readonly element: Element;
  readonly animation: Animation;
}

/**
 * Shows the animations and transitions of a document as they were at a time: each is paused, and set to its recorded
 * time.
 */
export class AnimationPainter {
  /** Animations that style sheets started. Once over they are in no list any more, and may be needed again. */
  readonly #started = new Set<CSSAnimation>();
  readonly #made = new Map<number, Made>();

  /**
   * Puts all animations of `version` into their phase at `t`. `real` gives the real node of an id, `idOf` the other way round. `changed`:
   * something was painted since the last call, so style sheets may have started others.
   */
  paint(
    version: DocumentVersion,
    t: number,
    roots: Iterable<Document | ShadowRoot>,
    real: (id: number) => Node | undefined,
    idOf: (node: Node) => number | undefined,
    changed: boolean,
  ): void {
    if (changed) for (const root of roots) this.#look(root);
    if (this.#started.size > 0) this.#hold(version, t, idOf);
    if (this.#made.size === 0 && version.animations.size === 0) return;
    const wanted = new Map<number, AnimationState>();
    for (const [key, state] of version.animations) if (state.type !== "css") wanted.set(key, state);
    for (const [key, made] of this.#made) {
      const state = wanted.get(key);
      if (state && state.keyframes === made.state.keyframes && real(state.node) === made.element) continue;
      made.animation.cancel();
      this.#made.delete(key);
    }
    for (const [key, state] of wanted) {
      const animation = this.#made.get(key)?.animation ?? this.#make(key, state, real(state.node));
      if (animation) tryToPaint("animation", () => set(animation, computeAnimationTime(state, t)));
    }
  }

  #look(root: Document | ShadowRoot): void {
    const View = (root.ownerDocument ?? (root as Document)).defaultView as (Window & typeof globalThis) | null;
    if (!View?.CSSAnimation || !root.getAnimations) return;
    for (const animation of root.getAnimations()) {
      if (animation instanceof View.CSSAnimation) {
        if (isTimed(animation)) this.#started.add(animation);
      }
      // A transition between two moments of the recording is none of the page's.
      else if (animation instanceof View.CSSTransition) animation.cancel();
    }
  }

  #hold(version: DocumentVersion, t: number, idOf: (node: Node) => number | undefined): void {
    const states = new Map<string, AnimationState>();
    for (const state of version.animations.values())
      if (state.type === "css") states.set(`${state.node} ${state.pseudo} ${state.name}`, state);
    for (const animation of this.#started) {
      const effect = animation.effect as KeyframeEffect | null;
      const target = effect?.target;
      if (!isTimed(animation)) {
        this.#started.delete(animation);
        tryToPaint("animation", () => animation.play());
        continue;
      }
      if (!target?.isConnected || animation.playState === "idle") {
        this.#started.delete(animation);
        continue;
      }
      const state = states.get(`${idOf(target)} ${effect?.pseudoElement ?? ""} ${animation.animationName}`);
      // One that the recording does not know is over, or, where it has no end, has just begun.
      const end = state ? computeAnimationTime(state, t) : Number(effect?.getComputedTiming().endTime);
      tryToPaint("animation", () => set(animation, Number.isFinite(end) ? end : 0));
    }
  }

  #make(key: number, state: AnimationState, node: Node | undefined): Animation | undefined {
    const element = node as Element | undefined;
    if (!element?.animate || state.keyframes.length === 0) return undefined;
    try {
      const animation = element.animate(state.keyframes.map(keyframe), { ...timing(state.timing), ...pseudo(state) });
      this.#made.set(key, { state, element, animation });
      return animation;
    } catch {
      return undefined; // Keyframes that this browser does not take.
    }
  }
}

/** Whether it goes by time. One that goes by a scroller stands where the page is scrolled to, and is left to it. */
function isTimed({ effect, timeline }: Animation): boolean {
  return timeline === (effect as KeyframeEffect | null)?.target?.ownerDocument.timeline;
}

function set(animation: Animation, time: number): void {
  if (animation.playState !== "paused") animation.pause();
  if (animation.currentTime !== time) animation.currentTime = time;
}

function pseudo(state: AnimationState): { pseudoElement?: string } {
  return /^::?[\w-]+$/.test(state.pseudo) ? { pseudoElement: state.pseudo } : {};
}

/** The third wall for keyframes: no value that could name an address, however it is written. */
function keyframe(recorded: Readonly<Record<string, Json>>): Keyframe {
  const clean: Record<string, string | number | null> = {};
  for (const [name, value] of Object.entries(recorded)) {
    if (name === "offset" && (value === null || typeof value === "number")) clean[name] = value;
    else if (typeof value === "string" && !/(?:url|src|image|set|cross-fade|element)\s*\(|\\/i.test(value))
      clean[name] = value;
  }
  return clean as Keyframe;
}

function timing(recorded: Readonly<Record<string, Json>>): KeyframeEffectOptions {
  const number = (name: string, otherwise: number): number => {
    const value = recorded[name];
    return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
  };
  const word = (name: string, known: ReadonlySet<string>): string | undefined => {
    const value = recorded[name];
    return typeof value === "string" && known.has(value) ? value : undefined;
  };
  const iterations = number("iterations", 1);
  const { easing, composite } = recorded;
  return {
    delay: number("delay", 0),
    endDelay: number("endDelay", 0),
    duration: Math.max(0, number("duration", 0)),
    iterationStart: Math.max(0, number("iterationStart", 0)),
    iterations: iterations < 0 ? Number.POSITIVE_INFINITY : iterations,
    fill: (word("fill", FILLS) ?? "none") as FillMode,
    direction: (word("direction", DIRECTIONS) ?? "normal") as PlaybackDirection,
    easing: typeof easing === "string" ? easing : "linear",
    composite: composite === "add" || composite === "accumulate" ? composite : "replace",
  };
}
