// The shapes of docs/format.md, section "Ops" and "Nodes and trees".

export type Attributes = Record<string, string>;

/** A node with its descendants: a text, an element or special node, or the id of an existing node that moves here. */
export type Tree = string | number | TreeArray;
export type TreeArray = [tag: string, ...rest: (Attributes | Tree)[]];

/** One change of a document, as docs/format.md defines it: its name, then its arguments. */
export type Op =
  | ["doc", number, Tree]
  | ["add", number, number, ...Tree[]]
  | ["move", number, ...number[]]
  | ["del", ...number[]]
  | ["text", number, string]
  | ["attr", number, Record<string, string | null>]
  | ["value" | "exact", number, string]
  | ["checked" | "indeterminate", number, 0 | 1]
  | ["selected", number, number[]]
  | ["scroll", id: number, x: number, y: number, anchor?: number, top?: number]
  | ["focus", number, (0 | 1)?]
  | ["selection", number, number, number, number, composed?: ImeComposition]
  | ["bubble", number, (0 | 1)?, ...string[]]
  | ["masked", number, string]
  | ["sheet", number, number, string, SheetOptions?]
  | ["unsheet", ...number[]]
  | ["src", number, string]
  | ["adopt", number, number[]]
  | ["open", number, string]
  | ["states" | "typed", number, string[]]
  | ["pointed", hover: number, active: number, target: number]
  | ["media", number, MediaState]
  | ["drawing", number, SvgDrawingState]
  | ["assign", number, number[]]
  | ["cues", number, VideoCue[]]
  | ["highlight", name: string, priority: number, ranges: number[]]
  | AnimationsOp
  | ["unanim", ...number[]];

/** Who composes text with an input method (IME): 1 is a person; 2 is a CDP command, for whose text the browser draws a yellow background. */
export type ImeComposition = 1 | 2;

export type AnimationsOp = ["anims", number, AnimationState, ...(string | number)[]];

/** The state of one running animation. */
export interface AnimationState {
  type: "css" | "transition" | "script";
  pseudo?: string;
  /** The animation's own time in ms at the moment of the op. */
  time: number;
  /** 1 where it is missing. */
  rate?: number;
  /** True where it is missing. */
  running?: boolean;
  /** The two values of a transition's property. */
  from?: string;
  to?: string;
  /** For scripts, once, and for transitions that have more than two values: what `getKeyframes()` gives. */
  keyframes?: Record<string, string | number>[];
  /** For transitions and scripts, once: what of the timing is not at its default; `iterations` -1 is infinite. */
  timing?: Record<string, string | number>;
}

export interface SheetOptions {
  media?: string;
  disabled?: boolean;
}

export interface MediaState {
  paused: boolean;
  time: number;
  rate: number;
  volume: number;
  muted: boolean;
}

/** A caption of a video: its begin and end in s, its text in WebVTT, and its display settings that differ from the defaults. */
export type VideoCue = [from: number, to: number, text: string, how: Record<string, string | number | boolean>];

export interface SvgDrawingState {
  /** Of an outermost `<svg>`: its clock's time at the moment of the op, s, and whether it stands. */
  time?: number;
  paused?: boolean;
  /** The same: what scripts moved and scaled it by (`currentTranslate`, `currentScale`). */
  x?: number;
  y?: number;
  scale?: number;
  /** Of an animation: when on that clock it began last, and ended, s; neither: as its attributes say. */
  begin?: number;
  end?: number;
}

/** The names of nodes that are not elements. An element's tag never begins with "#". */
export const SPECIAL_NODE_NAMES = {
  document: "#document",
  doctype: "#doctype",
  comment: "#comment",
  cdata: "#cdata",
  pi: "#pi",
  shadow: "#shadow",
  content: "#content",
} as const;

/** Sets a property of an object under any name, also under `__proto__`, which an attribute may have. */
export function setOwnProperty<V>(object: Record<string, V>, key: string, value: V): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
