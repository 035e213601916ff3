// The events of a reel as the builder leaves them: docs/format.md describes each one.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A serialized node with its descendants: a text, the id of an existing node, or a list (docs/format.md). */
export type SerializedTree = string | number | [string, ...SerializedTreeItem[]];
/** An item in the list of a serialized element: a child, or the element's attributes. */
export type SerializedTreeItem = SerializedTree | Record<string, Json>;

/** An op of a page event. A reel is untrusted input, so an op's values are checked when it is applied. */
export type Op = readonly [string, ...Json[]];

/** The kinds of ops that this player applies; `reel/kinds.py` has the table of all kinds. */
export type OpKind =
  | "doc"
  | "add"
  | "move"
  | "del"
  | "text"
  | "attr"
  | "value"
  | "typed"
  | "checked"
  | "indeterminate"
  | "selected"
  | "states"
  | "scroll"
  | "exact"
  | "masked"
  | "canvas"
  | "media"
  | "drawing"
  | "cues"
  | "highlight"
  | "assign"
  | "shown"
  | "src"
  | "css"
  | "focus"
  | "pointed"
  | "selection"
  | "bubble"
  | "open"
  | "mode"
  | "anims"
  | "anim"
  | "unanim"
  | "sheet"
  | "unsheet"
  | "adopt";

/**
 * An event in the built file: its kind `k`, its time `t` in ms, its document `d`, its message number `n`, and other
 * fields.
 */
export interface PlayerEvent {
  readonly k: string;
  readonly t: number;
  readonly d?: number;
  readonly n?: number;
  readonly [field: string]: unknown;
}
