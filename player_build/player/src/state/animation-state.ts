// What ops say about animations (docs/format.md, `anim`): which run, and in which phase.

import type { Json } from "../decode/events.ts";

/** The state of an animation or transition at one time. */
export interface AnimationState {
  /** The element, or the one whose pseudo-element it is. */
  readonly node: number;
  readonly type: string;
  /** `css`: the name of the @keyframes. `transition`: the property. */
  readonly name: string;
  readonly pseudo: string;
  /** Its own time in ms at the moment `at` of the recording. */
  readonly time: number;
  readonly at: number;
  readonly rate: number;
  readonly running: boolean;
  readonly keyframes: readonly Readonly<Record<string, Json>>[];
  readonly timing: Readonly<Record<string, Json>>;
}

/**
 * Returns the state of an animation after an `anim` op with `value` at the time `at` (ms). Keyframes and timing are
 * taken from `before` if the op does not repeat them.
 */
export function updateAnimationState(node: number, value: Json, at: number, before?: AnimationState): AnimationState {
  const said = (typeof value === "object" && value !== null ? value : {}) as Record<string, Json>;
  const name = text(said.name);
  return {
    node,
    type: text(said.type),
    name,
    pseudo: text(said.pseudo),
    time: finite(said.time, 0),
    at,
    rate: finite(said.rate, 1),
    running: said.running !== false,
    keyframes: keyframes(said, name) ?? before?.keyframes ?? [],
    timing: isRecord(said.timing) ? said.timing : (before?.timing ?? {}),
  };
}

/** A transition says the two values of its property, anything else its keyframes. */
function keyframes(said: Record<string, Json>, name: string): AnimationState["keyframes"] | undefined {
  if (Array.isArray(said.keyframes)) return said.keyframes.filter(isRecord);
  if (typeof said.from !== "string" || typeof said.to !== "string") return undefined;
  const property = name.startsWith("--") ? name : name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return [{ [property]: said.from }, { [property]: said.to }];
}

/** Returns the animation's own current time, in ms, at `t` (ms) on the recording's clock. */
export function computeAnimationTime(state: AnimationState, t: number): number {
  return state.running ? state.time + (t - state.at) * state.rate : state.time;
}

function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function finite(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}
