// Everything about one document at one moment. Versions share what they have in common (trie.ts), so that history keeps them and the painter compares two.

import type { AnimationState } from "./animation-state.ts";
import type { ModelNode } from "./node.ts";
import { emptyTrie, type Trie } from "./trie.ts";

/** A style sheet of a document that a script created or changed. */
export interface StyleSheetState {
  /** The `<style>` or `<link>` whose own source it overrides; 0: constructed. */
  readonly owner: number;
  readonly text: string;
  readonly media: string;
  readonly disabled: boolean;
  /** `text` with pseudo-classes and addresses rewritten, where that changes anything. */
  readonly css?: string;
}

/**
 * The selection in a document: the nodes and offsets of its anchor and focus, and whether an input method is
 * composing it.
 */
export type SelectionState = readonly [
  anchor: number,
  anchorOffset: number,
  focus: number,
  focusOffset: number,
  /** 1, 2: it is what an input method is composing. */
  composed: number,
];

/** The whole state of one document at one time. It is immutable. */
export interface DocumentVersion {
  readonly nodes: Trie<ModelNode>;
  readonly root: number;
  readonly sheets: ReadonlyMap<number, StyleSheetState>;
  readonly adopted: ReadonlyMap<number, readonly number[]>;
  readonly focus: number;
  /** Whether the focused element matched `:focus-visible`; null where the recording does not say. */
  readonly focusVisible: boolean | null;
  /** The innermost elements that matched `:hover` and `:active`, and the `:target`; null where the recording does not say. */
  readonly pointed: readonly [hover: number, active: number, target: number] | null;
  readonly selection: SelectionState;
  /** The browser's own message beside a field. */
  readonly bubble: readonly [field: number, text: string, more: string];
  /** The top layer, bottom first. */
  readonly layer: ReadonlyArray<readonly [node: number, how: string]>;
  /** Highlights by their name: priority, and ranges one after the other (start, offset, end, offset). */
  readonly highlights: ReadonlyMap<string, readonly [priority: number, ranges: readonly number[]]>;
  /** Animations by their key. */
  readonly animations: ReadonlyMap<number, AnimationState>;
  /** How the browser laid the document out, where that is not what `document` said: see framed-documents.ts. */
  readonly mode: string;
  /** Ops that named a node that is not there. */
  readonly errors: number;
  /** Whether it is a first look, of which the rest is to come. */
  readonly isLook?: boolean;
}

/** The state of a document before its first snapshot. */
export const EMPTY_VERSION: DocumentVersion = {
  nodes: emptyTrie(),
  root: 0,
  sheets: new Map(),
  adopted: new Map(),
  focus: 0,
  focusVisible: null,
  pointed: null,
  selection: [0, 0, 0, 0, 0],
  bubble: [0, "", ""],
  layer: [],
  highlights: new Map(),
  animations: new Map(),
  mode: "",
  errors: 0,
};

/**
 * Returns a version in which the focus, the pointer, the top layer and the selection no longer refer to the node
 * `id`.
 */
export function removeNodeReferences(version: DocumentVersion, id: number): DocumentVersion {
  const { focus, layer, pointed, selection } = version;
  const without = (at: number): number => (at === id ? 0 : at);
  const changes: { -readonly [N in keyof DocumentVersion]?: DocumentVersion[N] } = {};
  if (pointed?.includes(id)) changes.pointed = [without(pointed[0]), without(pointed[1]), without(pointed[2])];
  if (focus === id) changes.focus = 0;
  if (layer.some(([open]) => open === id)) changes.layer = layer.filter(([open]) => open !== id);
  if (selection[0] === id || selection[2] === id) changes.selection = EMPTY_VERSION.selection;
  return Object.keys(changes).length ? { ...version, ...changes } : version;
}
