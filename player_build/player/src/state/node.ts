// The nodes of a document at one moment. A node is never changed once its version is frozen: editing copies it.

import type { Json } from "../decode/events.ts";

/** The kinds of nodes that have a text of their own. */
export const TEXT_NODE_KINDS: ReadonlySet<string> = new Set(["text", "cdata", "comment", "pi"]);

/** The kind of a node in the page model. */
export type NodeKind = "document" | "doctype" | "element" | "text" | "comment" | "cdata" | "pi" | "shadow" | "content";

/** The kinds of nodes that have children. */
export const PARENT_KINDS: ReadonlySet<NodeKind> = new Set<NodeKind>(["element", "document", "shadow", "content"]);

/** The namespace of HTML. */
export const HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
export const MATHML_NAMESPACE = "http://www.w3.org/1998/Math/MathML";

/** The recorded state of a video or audio element. */
export interface MediaState {
  readonly paused: boolean;
  readonly time: number;
  readonly rate: number;
  readonly volume: number;
  readonly muted: boolean;
  /** When the state was true, ms on the recording's clock: the position runs on from there. */
  readonly at: number;
}

/** A caption of a video: its begin and end in s, its WebVTT text, and its position settings. */
export type VideoCue = readonly [from: number, to: number, text: string, how: Readonly<Record<string, Json>>];

/** The state of an outermost `<svg>`, or of an SVG animation: its clock, and how a script moved and scaled it. */
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

/** The state of a node that its markup does not say, as ops give it. A field is absent if no op has set it. */
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

/** A node of the page model. */
export interface ModelNode {
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
 * Returns an empty object without inherited properties. (An object whose prototype is null would do, but Chromium
 * stores it as a hash table, which is several times larger and slower.)
 */
export function createEmptyRecord<T>(): Record<string, T> {
  return Object.create(NOTHING);
}

/** Returns the namespace and the local name of a tag, which is written as in the reel. */
export function splitTag(tag: string): [namespace: string, name: string] {
  const first = tag.indexOf("|");
  if (first < 0) return [HTML_NAMESPACE, tag];
  const prefix = tag.slice(0, first);
  if (prefix === "svg") return [SVG_NAMESPACE, tag.slice(first + 1)];
  if (prefix === "math") return [MATHML_NAMESPACE, tag.slice(first + 1)];
  if (prefix === "html") return [HTML_NAMESPACE, tag.slice(first + 1)];
  const last = tag.lastIndexOf("|");
  return [tag.slice(0, last), tag.slice(last + 1)];
}

/**
 * Returns a tag in the spelling of the allow-lists (HTML plain, `svg|path`, `math|mi`), however the reel spells its
 * namespace: allow_lists.py.
 */
export function getCanonicalTag(tag: string): string {
  if (!tag.includes("|")) return tag;
  const [namespace, name] = splitTag(tag);
  if (namespace === SVG_NAMESPACE) return `svg|${name}`;
  if (namespace === MATHML_NAMESPACE) return `math|${name}`;
  if (namespace !== HTML_NAMESPACE) return tag;
  return /^[^#|][^|]*$/.test(name) ? name : `html|${name}`;
}

/** Returns whether an image has a source, in `src` or `srcset`. */
export function hasPictureSource({ attributes }: ModelNode): boolean {
  return (attributes.src ?? attributes.srcset) !== undefined;
}
