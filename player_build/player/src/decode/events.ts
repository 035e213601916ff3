// The events of a reel as the builder leaves them: docs/format.md describes each one.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Tree = string | number | [string, ...TreeItem[]];
export type TreeItem = Tree | Record<string, Json>;

/** An op is checked where it is applied: a reel is untrusted input. */
export type Op = readonly [string, ...Json[]];

/** The ops that this player knows; the table of all kinds is reel/kinds.py. */
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

export interface PlayerEvent {
  readonly k: string;
  readonly t: number;
  readonly d?: number;
  readonly n?: number;
  readonly [field: string]: unknown;
}
