// The state of one document and the ops that change it: a port of reel/model.py, which must give the same digest.
//
// `DocumentEditor` changes; `freeze()` hands out a version that stays true for ever. Versions share what they have in
// common (see trie.ts), so history keeps them as keyframes and the painter compares two of them.

import type { Json, Op } from "../decode/events.ts";
import type { Look } from "./look.ts";
import { type AnimationState, animationState } from "./motion.ts";
import { type Cue, type DrawingState, type MediaState, type NodeState, record, type VNode } from "./node.ts";
import { isInner, leave, plant, type TreeSink } from "./tree.ts";
import { emptyTrie, type Trie, trieGet, trieSet } from "./trie.ts";

export interface Sheet {
  /** The `<style>` or `<link>` whose own source it overrides; 0: constructed. */
  readonly owner: number;
  readonly text: string;
  readonly media: string;
  readonly disabled: boolean;
  /** `text` with pseudo-classes and addresses rewritten, where that changes anything. */
  readonly css?: string;
}

export type SelectionState = readonly [
  anchor: number,
  anchorOffset: number,
  focus: number,
  focusOffset: number,
  /** 1, 2: it is what an input method is composing. */
  composed: number,
];

/** Everything about one document at one moment. Immutable. */
export interface DocumentVersion {
  readonly nodes: Trie<VNode>;
  readonly root: number;
  readonly sheets: ReadonlyMap<number, Sheet>;
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
  /** How the browser laid the document out, where that is not what `document` said: see frame.ts. */
  readonly mode: string;
  /** Ops that named a node that is not there. */
  readonly errors: number;
  /** Whether it is a first look, of which the rest is to come. */
  readonly isLook?: boolean;
}

export const EMPTY: DocumentVersion = {
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

const HOLDS_TEXT: ReadonlySet<string> = new Set(["text", "cdata", "comment", "pi"]);

let lastToken = 0;

/** Applies ops to a version. One editor per document; `reset` makes it go on from another version. */
export class DocumentEditor {
  #version: DocumentVersion;
  #token = ++lastToken;
  #now = 0;
  #sheetsToken = 0;
  #adoptedToken = 0;
  #animationsToken = 0;

  /** `look`: what it makes is one. */
  constructor(
    version: DocumentVersion = EMPTY,
    readonly look?: Look,
  ) {
    this.#version = version;
  }

  /** The state as it is now. What is applied later does not show in it. */
  freeze(): DocumentVersion {
    this.#token = ++lastToken;
    return this.#version;
  }

  reset(version: DocumentVersion): void {
    this.#version = version;
    this.#token = ++lastToken;
  }

  /** Applies the ops of one message; `t` is its time. Returns how many nodes and ops it touched: a measure of the work. */
  apply(ops: readonly Json[], t: number): number {
    this.#now = t;
    let work = 0;
    for (const op of ops) {
      if (!Array.isArray(op) || typeof op[0] !== "string") this.#fail();
      else work += this.#applyOp(op as unknown as Op, t);
    }
    return work;
  }

  #applyOp(op: Op, t: number): number {
    const [kind, target] = op;
    const id = typeof target === "number" ? target : 0;
    switch (kind) {
      case "doc":
        return this.#replace(id, op[2] ?? null);
      case "add":
        return this.#add(id, op);
      case "move":
        return this.#move(id, op.slice(2) as Json[]);
      case "del":
        return this.#remove(op.slice(1) as Json[]);
      case "text":
        return this.#change(
          id,
          (node) => HOLDS_TEXT.has(node.kind),
          (node) => {
            node.data = str(op[2]);
            node.state = without(node.state, "css");
          },
        );
      case "attr":
        return this.#change(
          id,
          (node) => node.kind === "element",
          (node) => {
            node.attributes = patch(node.attributes, op[2]);
            const { style, src, srcset } = Object(op[2]);
            const { shown } = node.state;
            // What the builder says of the new ones comes after this.
            if (shown) node.state = { ...node.state, shown: patchShown(shown, op[2], true) };
            if (style !== undefined) node.state = without(node.state, "exact");
            if (node.tag === "img" && (src === null || srcset === null)) node.state = { ...node.state, emptied: true };
          },
        );
      case "value":
        return this.#state(id, { value: str(op[2]) });
      case "typed":
        return this.#state(id, { typed: strings(op[2]) });
      case "checked":
        return this.#state(id, { checked: Boolean(op[2]) });
      case "indeterminate":
        return this.#state(id, { indeterminate: Boolean(op[2]) });
      case "selected":
        return this.#state(id, { selected: numbers(op[2]) });
      case "states":
        return this.#state(id, { states: strings(op[2]) });
      case "scroll":
        // What is in sight stands further down.
        if (this.look && (op[2] || op[3])) this.look.lost = true;
        return this.#state(id, { scroll: [num(op[2]), num(op[3]), num(op[4]), num(op[5])] });
      case "exact":
        return this.#state(id, { exact: str(op[2]) });
      case "masked":
        return this.#state(id, { masked: str(op[2]) });
      case "canvas":
        return this.#state(id, { canvas: [str(op[2]), num(op[3]), num(op[4])] });
      case "media":
        return this.#state(id, { media: media(op[2], t) });
      case "drawing":
        return this.#change(
          id,
          () => true,
          (node) => {
            node.state = { ...node.state, drawing: drawing(op[2], t, node.state.drawing) };
          },
        );
      case "cues":
        return this.#state(id, { cues: Array.isArray(op[2]) ? (op[2] as unknown as Cue[]) : [] });
      case "highlight": {
        const highlights = new Map(this.#version.highlights).set(str(op[1]), [num(op[2]), numbers(op[3])]);
        this.#version = { ...this.#version, highlights };
        return 1;
      }
      case "assign":
        return this.#state(id, { assigned: numbers(op[2]) });
      case "shown":
        return this.#change(
          id,
          () => true,
          (node) => {
            node.state = { ...node.state, shown: patchShown(node.state.shown, op[2]) };
          },
        );
      case "src":
        return this.#state(id, { src: str(op[2]) }, "pi");
      case "css":
        return this.#state(id, { css: str(op[2]) });
      case "focus":
        this.#version = { ...this.#version, focus: id, focusVisible: op[2] === undefined ? null : op[2] === 1 };
        return 1;
      case "pointed":
        this.#version = { ...this.#version, pointed: [id, num(op[2]), num(op[3])] };
        return 1;
      case "selection":
        this.#version = { ...this.#version, selection: [id, num(op[2]), num(op[3]), num(op[4]), num(op[5])] };
        return 1;
      case "bubble":
        this.#version = { ...this.#version, bubble: [id, str(op[3]), str(op[4])] };
        return 1;
      case "open":
        return this.#open(id, str(op[2]));
      case "mode":
        this.#version = { ...this.#version, mode: str(op[1]) };
        return 1;
      case "anims":
        return this.#animateAll(op, t);
      case "anim":
        return this.#animate(id, op, t);
      case "unanim":
        for (const key of op.slice(1)) this.#ownAnimations().delete(num(key as Json));
        return op.length;
      case "sheet":
        return this.#sheet(id, op);
      case "unsheet":
        for (const number of op.slice(1)) if (!this.#ownSheets().delete(num(number as Json))) this.#fail();
        return op.length;
      case "adopt":
        return this.#adopt(id, numbers(op[2]));
      default:
        return 0; // Unknown ops are for later players.
    }
  }

  #replace(first: number, tree: Json): number {
    this.#version = { ...EMPTY, mode: this.#version.mode, errors: this.#version.errors };
    const [root, next] = plant(tree, first, 0, this.#sink());
    this.#version = { ...this.#version, root };
    return next - first;
  }

  #add(at: number, op: Op): number {
    const point = this.#point(at);
    const first = num(op[2]);
    const { look } = this;
    if (look && !point) for (const tree of op.slice(3)) leave(tree as Json, look);
    if (!point || first < 1) return this.#fail();
    let next = first;
    for (let index = 3; index < op.length; index++) {
      const tree = op[index] as Json;
      if (look && !point.before && !isInner(tree) && look.full(this.#get(point.parent) as VNode)) {
        next += leave(tree, look);
        continue;
      }
      if (typeof tree === "number") {
        this.#place(tree, point);
        continue;
      }
      if (this.#get(next)) return this.#fail(); // Ids are never used twice.
      const inner = isInner(tree);
      // The root stands before its children come: a tree may take in the very nodes around it.
      const [root, after] = plant(
        tree,
        next,
        point.parent,
        this.#sink((root) => {
          if (inner) this.#edit(point.parent).inner = root.id;
          else this.#insert(root.id, point);
        }),
      );
      next = after;
      if (point.before && this.#get(point.before)?.parent !== point.parent)
        point.before = this.#after(root, point.parent);
    }
    return next - first;
  }

  #move(at: number, ids: readonly Json[]): number {
    const point = this.#point(at);
    if (!point) return this.#lose();
    for (const id of ids) this.#place(num(id), point);
    return ids.length;
  }

  /** The parent and the child before which to insert (0: at the end). */
  #point(at: number): { parent: number; before: number } | undefined {
    if (at > 0) return this.#get(at) ? { parent: at, before: 0 } : undefined;
    const parent = this.#get(this.#get(-at)?.parent ?? 0);
    return parent && parent.inner !== -at ? { parent: parent.id, before: -at } : undefined;
  }

  #place(id: number, point: { parent: number; before: number }): void {
    const node = this.#get(id);
    if (
      !node ||
      node.kind === "shadow" ||
      node.kind === "content" ||
      node.kind === "document" ||
      this.#holds(id, point.parent)
    ) {
      this.#lose();
      return;
    }
    if (point.before === id) point.before = this.#after(id, point.parent);
    this.#detach(node.parent, new Set([id]));
    this.#edit(id).parent = point.parent;
    this.#insert(id, point);
  }

  #insert(id: number, point: { parent: number; before: number }): void {
    const children = this.#editChildren(point.parent);
    const index = point.before ? children.indexOf(point.before) : -1;
    if (index < 0) children.push(id);
    else children.splice(index, 0, id);
  }

  /** The child of `parent` that stands after the child `id`, or 0. */
  #after(id: number, parent: number): number {
    const children = this.#get(parent)?.children ?? [];
    return children[children.indexOf(id) + 1] ?? 0;
  }

  #remove(ids: readonly Json[]): number {
    const byParent = new Map<number, Set<number>>();
    const known: VNode[] = [];
    for (const id of ids) {
      const node = this.#get(num(id));
      if (!node) {
        this.#fail();
        continue;
      }
      known.push(node);
      const group = byParent.get(node.parent);
      if (group) group.add(node.id);
      else byParent.set(node.parent, new Set([node.id]));
    }
    for (const [parentId, gone] of byParent) this.#detach(parentId, gone);
    let work = 0;
    const stack = known.map(({ id }) => id);
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) work += this.#forget(id, stack);
    return work;
  }

  #detach(parentId: number, gone: ReadonlySet<number>): void {
    const parent = this.#get(parentId);
    if (!parent) return;
    this.look?.gone(parentId);
    if (gone.has(parent.inner)) this.#edit(parentId).inner = 0;
    if (gone.size === 1) {
      const [id] = gone;
      const index = parent.children.indexOf(id as number);
      if (index >= 0) this.#editChildren(parentId).splice(index, 1);
      return;
    }
    const node = this.#edit(parentId);
    node.children = node.children.filter((id) => !gone.has(id));
    node.childrenToken = this.#token;
  }

  /** Forgets a node; those below it go onto `left`. */
  #forget(id: number, left: number[]): number {
    const node = this.#get(id);
    if (!node) return 0;
    if (node.inner) left.push(node.inner);
    for (const child of node.children) left.push(child);
    this.#put(id, undefined);
    if (this.#version.adopted.has(id)) this.#ownAdopted().delete(id);
    for (const [number, sheet] of this.#version.sheets) if (sheet.owner === id) this.#ownSheets().delete(number);
    for (const [key, animation] of this.#version.animations)
      if (animation.node === id) this.#ownAnimations().delete(key);
    const { focus, layer, pointed, selection } = this.#version;
    if (pointed?.includes(id)) {
      const [hover, active, target] = pointed.map((at) => (at === id ? 0 : at));
      this.#version = { ...this.#version, pointed: [num(hover), num(active), num(target)] };
    }
    if (focus === id) this.#version = { ...this.#version, focus: 0 };
    if (layer.some(([open]) => open === id))
      this.#version = { ...this.#version, layer: layer.filter(([open]) => open !== id) };
    if (selection[0] === id || selection[2] === id) this.#version = { ...this.#version, selection: [0, 0, 0, 0, 0] };
    return 1;
  }

  #open(id: number, how: string): number {
    if (!this.#get(id)) return this.#fail();
    const layer = this.#version.layer.filter(([open]) => open !== id);
    if (how) layer.push([id, how]);
    this.#version = { ...this.#version, layer };
    return 1;
  }

  #animateAll(op: Op, t: number): number {
    const state = typeof op[2] === "object" ? op[2] : {};
    let key = num(op[1] as Json);
    let name = "";
    for (const item of op.slice(3) as Json[]) {
      if (typeof item === "string") {
        name = item;
        continue;
      }
      const told = { ...state, name } as Json;
      if (!this.#get(num(item))) this.#fail();
      else this.#ownAnimations().set(key, animationState(num(item), told, t, this.#version.animations.get(key)));
      key++;
    }
    return op.length;
  }

  #animate(id: number, op: Op, t: number): number {
    const key = num(op[2]);
    if (op[3] === null || op[3] === undefined) this.#ownAnimations().delete(key);
    else if (!this.#get(id)) return this.#fail();
    else this.#ownAnimations().set(key, animationState(id, op[3] as Json, t, this.#version.animations.get(key)));
    return 1;
  }

  #sheet(number: number, op: Op): number {
    const options = (typeof op[4] === "object" && op[4] !== null ? op[4] : {}) as Record<string, Json>;
    const css = typeof options.css === "string" ? { css: options.css } : {};
    this.#ownSheets().set(number, {
      owner: num(op[2]),
      text: str(op[3]),
      media: str(options.media),
      disabled: Boolean(options.disabled),
      ...css,
    });
    return 1;
  }

  #adopt(root: number, numbers: readonly number[]): number {
    if (!this.#get(root)) return this.#fail();
    const sheets = numbers.filter((number) => this.#version.sheets.has(number));
    if (sheets.length) this.#ownAdopted().set(root, sheets);
    else this.#ownAdopted().delete(root);
    return 1;
  }

  #ownSheets(): Map<number, Sheet> {
    if (this.#sheetsToken !== this.#token) {
      this.#version = { ...this.#version, sheets: new Map(this.#version.sheets) };
      this.#sheetsToken = this.#token;
    }
    return this.#version.sheets as Map<number, Sheet>;
  }

  #ownAnimations(): Map<number, AnimationState> {
    if (this.#animationsToken !== this.#token) {
      this.#version = { ...this.#version, animations: new Map(this.#version.animations) };
      this.#animationsToken = this.#token;
    }
    return this.#version.animations as Map<number, AnimationState>;
  }

  #ownAdopted(): Map<number, readonly number[]> {
    if (this.#adoptedToken !== this.#token) {
      this.#version = { ...this.#version, adopted: new Map(this.#version.adopted) };
      this.#adoptedToken = this.#token;
    }
    return this.#version.adopted as Map<number, readonly number[]>;
  }

  #state(id: number, state: NodeState, also = ""): number {
    return this.#change(
      id,
      ({ kind }) => !also || kind === "element" || kind === also,
      (node) => {
        node.state = { ...node.state, ...state };
      },
    );
  }

  #change(id: number, fits: (node: VNode) => boolean, how: (node: VNode) => void): number {
    const node = this.#get(id);
    if (!node || !fits(node)) return this.#fail();
    how(this.#edit(id));
    return 1;
  }

  /** What a look left out is needed. */
  #lose(): number {
    if (this.look) this.look.lost = true;
    return this.#fail();
  }

  #fail(): number {
    this.#version = { ...this.#version, errors: this.#version.errors + 1 };
    return 1;
  }

  #get(id: number): VNode | undefined {
    return id > 0 ? trieGet(this.#version.nodes, id) : undefined;
  }

  #put(id: number, node: VNode | undefined): void {
    const nodes = trieSet(this.#version.nodes, id, node, this.#token);
    if (nodes !== this.#version.nodes) this.#version = { ...this.#version, nodes };
  }

  #edit(id: number): VNode {
    const node = this.#get(id) as VNode;
    if (node.token === this.#token) return node;
    const copy = { ...node, token: this.#token };
    this.#put(id, copy);
    return copy;
  }

  #editChildren(id: number): number[] {
    const node = this.#edit(id);
    if (node.childrenToken !== this.#token) {
      node.children = node.children.slice();
      node.childrenToken = this.#token;
    }
    return node.children;
  }

  #sink(placeTop?: (root: VNode) => void): TreeSink {
    return {
      token: this.#token,
      look: this.look,
      create: (node, top) => {
        if (this.look) this.look.room -= 1;
        if (node.tag === "svg|svg") node.state = { born: this.#now };
        this.#put(node.id, node);
        if (top) placeTop?.(node);
      },
      adopt: (id, parent) => {
        const node = this.#get(id);
        if (!node || node.kind === "shadow" || node.kind === "content" || this.#holds(id, parent)) {
          this.#lose();
          return false;
        }
        this.#detach(node.parent, new Set([id]));
        this.#edit(id).parent = parent;
        return true;
      },
    };
  }

  /** Whether `ancestor` is `id` or above it: a hostile reel must not tie the tree into a ring. */
  #holds(ancestor: number, id: number): boolean {
    for (let node = this.#get(id); node; node = this.#get(node.parent)) if (node.id === ancestor) return true;
    return false;
  }
}

function patch(attributes: Readonly<Record<string, string>>, changes: Json | undefined): Record<string, string> {
  const result: Record<string, string> = Object.assign(record<string>(), attributes);
  for (const [name, value] of Object.entries((changes ?? {}) as Record<string, Json>)) {
    if (typeof value === "string") result[name] = value;
    else delete result[name];
  }
  return result;
}

function patchShown(shown: NodeState["shown"], changes: Json | undefined, gone = false): Record<string, string | null> {
  const result: Record<string, string | null> = Object.assign(record<string | null>(), shown);
  for (const [name, value] of Object.entries((changes ?? {}) as Record<string, Json>)) {
    if (!gone && (typeof value === "string" || value === null)) result[name] = value;
    else delete result[name];
  }
  return result;
}

function without(state: NodeState, name: keyof NodeState): NodeState {
  if (!(name in state)) return state;
  const { [name]: _, ...rest } = state;
  return rest;
}

function media(value: Json | undefined, at: number): MediaState {
  const state = (typeof value === "object" && value !== null ? value : {}) as Record<string, Json>;
  return {
    paused: state.paused !== false,
    time: num(state.time),
    rate: num(state.rate, 1),
    volume: num(state.volume, 1),
    muted: Boolean(state.muted),
    at,
  };
}

const PLACED = ["x", "y", "scale"] as const;

/** What is told of a drawing's place, and of its clock, each holds on while the other is told. */
function drawing(value: Json | undefined, at: number, before: DrawingState = {}): DrawingState {
  const told = (typeof value === "object" ? value : null) as Record<string, Json> | null;
  const state: Record<string, number> = {};
  for (const [name, number] of Object.entries(told ?? {})) if (typeof number === "number") state[name] = number;
  if (told && "time" in told) state.rate = told.paused === true ? 0 : 1;
  if (told && PLACED.some((name) => name in told)) return { ...before, ...state };
  for (const name of PLACED) if (before[name] !== undefined) state[name] = before[name];
  return { ...state, at };
}

function str(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function num(value: Json | undefined, otherwise = 0): number {
  return typeof value === "number" ? value : otherwise;
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

function numbers(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];
}
