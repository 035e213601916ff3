// Values of ops, read from a reel that anybody may have written: what is of another type than it should be counts as missing.

import type { Json, Op } from "../decode/events.ts";
import { type DrawingState, type MediaState, type NodeState, createEmptyRecord, type ModelNode } from "./node.ts";
import type { StyleSheetState } from "./document-version.ts";

function patch(attributes: Readonly<Record<string, string>>, changes: Json | undefined): Record<string, string> {
  const result: Record<string, string> = Object.assign(createEmptyRecord<string>(), attributes);
  for (const [name, value] of Object.entries((changes ?? {}) as Record<string, Json>)) {
    if (typeof value === "string") result[name] = value;
    else delete result[name];
  }
  return result;
}

/** Sets and removes attributes of a node, and drops the painted values that belonged to the old ones. */
export function patchAttributes(node: ModelNode, changes: Json | undefined): void {
  node.attributes = patch(node.attributes, changes);
  const { style, src, srcset } = Object(changes);
  const { shown } = node.state;
  // What the builder says of the new ones comes after this.
  if (shown) node.state = { ...node.state, shown: mergePaintedValues(shown, changes, true) };
  if (style !== undefined) node.state = removeStateField(node.state, "exact");
  if (node.tag === "img" && (src === null || srcset === null)) node.state = { ...node.state, emptied: true };
}

/**
 * Returns the painted values of a node's attributes after a `shown` op; with `gone`, without the values of the
 * changed attributes.
 */
export function mergePaintedValues(
  shown: NodeState["shown"],
  changes: Json | undefined,
  gone = false,
): Record<string, string | null> {
  const result: Record<string, string | null> = Object.assign(createEmptyRecord<string | null>(), shown);
  for (const [name, value] of Object.entries((changes ?? {}) as Record<string, Json>)) {
    if (!gone && (typeof value === "string" || value === null)) result[name] = value;
    else delete result[name];
  }
  return result;
}

/** Returns a node's state without one field. */
export function removeStateField(state: NodeState, name: keyof NodeState): NodeState {
  if (!(name in state)) return state;
  const { [name]: _, ...rest } = state;
  return rest;
}

/** Returns the state of a video or audio element that an op gave at the time `at` (ms). */
export function parseMediaState(value: Json | undefined, at: number): MediaState {
  const state = (typeof value === "object" && value !== null ? value : {}) as Record<string, Json>;
  return {
    paused: state.paused !== false,
    time: parseNumber(state.time),
    rate: parseNumber(state.rate, 1),
    volume: parseNumber(state.volume, 1),
    muted: Boolean(state.muted),
    at,
  };
}

/** Returns the style sheet that a `sheet` op defines by its number, owner, text and options. */
export function parseSheetState(op: Op): StyleSheetState {
  const options = (typeof op[4] === "object" && op[4] !== null ? op[4] : {}) as Record<string, Json>;
  const css = typeof options.css === "string" ? { css: options.css } : {};
  return {
    owner: parseNumber(op[2]),
    text: parseString(op[3]),
    media: parseString(options.media),
    disabled: Boolean(options.disabled),
    ...css,
  };
}

const PLACED = ["x", "y", "scale"] as const;

/**
 * Returns the state of a drawing after an op. An op gives either its place or its clock; the other is taken from
 * `before`.
 */
export function parseDrawingState(value: Json | undefined, at: number, before: DrawingState = {}): DrawingState {
  const changes = (typeof value === "object" ? value : null) as Record<string, Json> | null;
  const state: Record<string, number> = {};
  for (const [name, number] of Object.entries(changes ?? {})) if (typeof number === "number") state[name] = number;
  if (changes && "time" in changes) state.rate = changes.paused === true ? 0 : 1;
  if (changes && PLACED.some((name) => name in changes)) return { ...before, ...state };
  for (const name of PLACED) if (before[name] !== undefined) state[name] = before[name];
  return { ...state, at };
}

/** Returns a value if it is a string, else "". */
export function parseString(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Returns a value if it is a number, else `otherwise`. */
export function parseNumber(value: Json | undefined, otherwise = 0): number {
  return typeof value === "number" ? value : otherwise;
}

/** Returns the strings in a list; [] for any other value. */
export function parseStringList(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Returns the numbers in a list; [] for any other value. */
export function parseNumberList(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];
}
