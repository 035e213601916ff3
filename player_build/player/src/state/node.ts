// The nodes of a document at one moment. A node is never changed once its version is frozen: editing copies it.

import type { Json } from "../decode/events.ts";

/** Kinds of nodes that hold a text of their own. */
export const HOLDS_TEXT: ReadonlySet<string> = new Set(["text", "cdata", "comment", "pi"]);

export type NodeKind = "document" | "doctype" | "element" | "text" | "comment" | "cdata" | "pi" | "shadow" | "content";

/** What has children. */
export const PARENT_KINDS: ReadonlySet<NodeKind> = new Set<NodeKind>(["element", "document", "shadow", "content"]);

export const HTML = "http://www.w3.org/1999/xhtml";
export const SVG = "http://www.w3.org/2000/svg";
export const MATHML = "http://www.w3.org/1998/Math/MathML";

export interface MediaState {
  readonly paused: boolean;
  readonly time: number;
  readonly rate: number;
  readonly volume: number;
  readonly muted: boolean;
  /** When the state was true, ms on the recording's clock: the position runs on from there. */
  readonly at: number;
}

/** From and to, s; WebVTT; how it is put. */
export type VideoCue = readonly [from: number, to: number, text: string, how: Readonly<Record<string, Json>>];

/** An outermost `<svg>` or an animation in it. */
export interface DrawingState {
  /** Its clock, s, at `at` (ms), and whether it runs: 1, 0. */
  readonly time?: number;
  readonly rate?: number;
  readonly at?: number;
  /** What scripts moved and scaled it by. */
  readonly x?: number;
  readonly y?: number;
  readonly scale?: number;
  /** When an animation began last and ended, s on that clock. */
  readonly begin?: number;
  readonly end?: number;
}

/** What ops say about a node beyond its markup. A field that is absent was never said. */
export interface NodeState {
  value?: string;
  /** What a field shows in the place of its value: text of the browser's and parts that a person fills in, by turns. */
  typed?: readonly string[];
  checked?: boolean;
  indeterminate?: boolean;
  selected?: readonly number[];
  /** The URL that an image or media element chose (`currentSrc`). */
  src?: string;
  scroll?: readonly [x: number, y: number, anchor: number, top: number];
  masked?: string;
  /** Its style with the digits of numbers that the attribute has lost. */
  exact?: string;
  /** What only pseudo-classes tell: `user-invalid`, `state(x)`. */
  states?: readonly string[];
  canvas?: readonly [resource: string, width: number, height: number];
  media?: MediaState;
  drawing?: DrawingState;
  /** The captions over a video. */
  cues?: readonly VideoCue[];
  /** The nodes that a script put into a slot. */
  assigned?: readonly number[];
  /** Attribute values as the builder maps them: `pagereel:<n>` stands for a resource, null for "not shown". */
  shown?: Readonly<Record<string, string | null>>;
  /** A picture that had a source and has none any more: it takes another place than one that never had. */
  emptied?: boolean;
  /** An `<svg>`: when it came, ms; its own time counts from there. */
  born?: number;
  /** A style element's text node: its text with pseudo-classes and addresses rewritten. */
  css?: string;
}

export interface VNode {
  readonly id: number;
  readonly kind: NodeKind;
  /** Elements: the tag as the reel writes it (`div`, `svg|path`). Doctypes and processing instructions: their name. Shadow roots: the mode. */
  readonly tag: string;
  parent: number;
  /** Light children, in order. */
  children: number[];
  /** The shadow root or template content of an element, or 0. */
  inner: number;
  attributes: Readonly<Record<string, string>>;
  /** Text, comment, CDATA, PI: the data. Doctype: publicId and systemId, joined by U+001F. */
  data: string;
  state: NodeState;
  /** Options of a shadow root as recorded. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The edit in which this object may still be changed in place. */
  token: number;
  /** The same for `children`, which is copied only when it changes. */
  childrenToken: number;
}

const NOTHING: object = Object.freeze(Object.create(null));

/**
 * An empty object in which only what was put there is found, whatever it is called. (One whose prototype is null itself has a hash table in
 * Chromium, which takes several times the room and the time.)
 */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(NOTHING);
}

/** Namespace and local name of a tag as the reel writes it. */
export function splitTag(tag: string): [namespace: string, name: string] {
  const first = tag.indexOf("|");
  if (first < 0) return [HTML, tag];
  const prefix = tag.slice(0, first);
  if (prefix === "svg") return [SVG, tag.slice(first + 1)];
  if (prefix === "math") return [MATHML, tag.slice(first + 1)];
  if (prefix === "html") return [HTML, tag.slice(first + 1)];
  const last = tag.lastIndexOf("|");
  return [tag.slice(0, last), tag.slice(last + 1)];
}

/** The one spelling of a tag that the walls know (HTML plain, `svg|path`, `math|mi`), however a reel spells the namespace: allow_lists.py. */
export function canonicalTag(tag: string): string {
  if (!tag.includes("|")) return tag;
  const [namespace, name] = splitTag(tag);
  if (namespace === SVG) return `svg|${name}`;
  if (namespace === MATHML) return `math|${name}`;
  if (namespace !== HTML) return tag;
  return /^[^#|][^|]*$/.test(name) ? name : `html|${name}`;
}

/** Whether a picture has a source, of whatever kind. */
export function hasPictureSource({ attributes }: VNode): boolean {
  return (attributes.src ?? attributes.srcset) !== undefined;
}
