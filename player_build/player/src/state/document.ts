// The state of one document and the ops that change it: a port of reel/model.py, which must give the same digest.
//
// `DocumentEditor` changes; `freeze()` hands out a version (document-version.ts) that stays true for ever.

import type { Json, Op, OpKind } from "../decode/events.ts";
import type { PagePreview } from "./page-preview.ts";
import { updateAnimationState } from "./animation-state.ts";
import { TEXT_NODE_KINDS, type NodeState, type VideoCue, type ModelNode } from "./node.ts";
import { isInnerTree, skipTreeInPreview, createTree, type TreeReceiver } from "./tree.ts";
import { trieGet, trieSet } from "./trie.ts";
import { parseDrawingState, parseMediaState, parseSheetState } from "./op-values.ts";
import { mergePaintedValues, patchAttributes, removeStateField } from "./op-values.ts";
import { parseNumber, parseNumberList, parseString, parseStringList } from "./op-values.ts";
import { type DocumentVersion, EMPTY_VERSION, removeNodeReferences } from "./document-version.ts";

type Writable<M> = M extends ReadonlyMap<infer K, infer V> ? Map<K, V> : never;

let lastToken = 0;

/** Applies ops to a document's version. Each document has one editor; `reset` makes it go on from another. */
export class DocumentEditor {
  #version: DocumentVersion;
  #token = ++lastToken;
  #now = 0;
  /** With which token a map of the version was last copied. */
  readonly #copied: { [name: string]: number } = {};

  /** `look`: what it makes is one. */
  constructor(
    version: DocumentVersion = EMPTY_VERSION,
    readonly look?: PagePreview,
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
    const [, target] = op;
    const kind = op[0] as OpKind;
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
          (node) => TEXT_NODE_KINDS.has(node.kind),
          (node) => {
            node.data = parseString(op[2]);
            node.state = removeStateField(node.state, "css");
          },
        );
      case "attr":
        return this.#change(
          id,
          (node) => node.kind === "element",
          (node) => patchAttributes(node, op[2]),
        );
      case "value":
        return this.#state(id, { value: parseString(op[2]) });
      case "typed":
        return this.#state(id, { typed: parseStringList(op[2]) });
      case "checked":
        return this.#state(id, { checked: Boolean(op[2]) });
      case "indeterminate":
        return this.#state(id, { indeterminate: Boolean(op[2]) });
      case "selected":
        return this.#state(id, { selected: parseNumberList(op[2]) });
      case "states":
        return this.#state(id, { states: parseStringList(op[2]) });
      case "scroll":
        // What is in sight stands further down.
        if (this.look && (op[2] || op[3])) this.look.lost = true;
        return this.#state(id, {
          scroll: [parseNumber(op[2]), parseNumber(op[3]), parseNumber(op[4]), parseNumber(op[5])],
        });
      case "exact":
        return this.#state(id, { exact: parseString(op[2]) });
      case "masked":
        return this.#state(id, { masked: parseString(op[2]) });
      case "canvas":
        return this.#state(id, { canvas: [parseString(op[2]), parseNumber(op[3]), parseNumber(op[4])] });
      case "media":
        return this.#state(id, { media: parseMediaState(op[2], t) });
      case "drawing":
        return this.#state(id, ({ state }) => ({ drawing: parseDrawingState(op[2], t, state.drawing) }));
      case "cues":
        return this.#state(id, { cues: Array.isArray(op[2]) ? (op[2] as unknown as VideoCue[]) : [] });
      case "highlight": {
        const highlights = new Map(this.#version.highlights).set(parseString(op[1]), [
          parseNumber(op[2]),
          parseNumberList(op[3]),
        ]);
        this.#version = { ...this.#version, highlights };
        return 1;
      }
      case "assign":
        return this.#state(id, { assigned: parseNumberList(op[2]) });
      case "shown":
        return this.#state(id, ({ state }) => ({ shown: mergePaintedValues(state.shown, op[2]) }));
      case "src":
        return this.#state(id, { src: parseString(op[2]) }, "pi");
      case "css":
        return this.#state(id, { css: parseString(op[2]) });
      case "focus":
        this.#version = { ...this.#version, focus: id, focusVisible: op[2] === undefined ? null : op[2] === 1 };
        return 1;
      case "pointed":
        this.#version = { ...this.#version, pointed: [id, parseNumber(op[2]), parseNumber(op[3])] };
        return 1;
      case "selection":
        this.#version = {
          ...this.#version,
          selection: [id, parseNumber(op[2]), parseNumber(op[3]), parseNumber(op[4]), parseNumber(op[5])],
        };
        return 1;
      case "bubble":
        this.#version = { ...this.#version, bubble: [id, parseString(op[3]), parseString(op[4])] };
        return 1;
      case "open":
        return this.#open(id, parseString(op[2]));
      case "mode":
        this.#version = { ...this.#version, mode: parseString(op[1]) };
        return 1;
      case "anims":
        return this.#animateAll(op, t);
      case "anim":
        return this.#animate(id, op, t);
      case "unanim":
        for (const key of op.slice(1)) this.#own("animations").delete(parseNumber(key as Json));
        return op.length;
      case "sheet":
        this.#own("sheets").set(id, parseSheetState(op));
        return 1;
      case "unsheet":
        for (const number of op.slice(1)) if (!this.#own("sheets").delete(parseNumber(number as Json))) this.#fail();
        return op.length;
      case "adopt":
        return this.#adopt(id, parseNumberList(op[2]));
      default:
        kind satisfies never;
        return 0; // An op of a later version.
    }
  }

  #replace(first: number, tree: Json): number {
    this.#version = { ...EMPTY_VERSION, mode: this.#version.mode, errors: this.#version.errors };
    const [root, next] = createTree(tree, first, 0, this.#sink());
    this.#version = { ...this.#version, root };
    return next - first;
  }

  #add(at: number, op: Op): number {
    const point = this.#point(at);
    const first = parseNumber(op[2]);
    const { look } = this;
    if (look && !point) for (const tree of op.slice(3)) skipTreeInPreview(tree as Json, look);
    if (!point || first < 1) return this.#fail();
    let next = first;
    for (let index = 3; index < op.length; index++) {
      const tree = op[index] as Json;
      if (look && !point.before && !isInnerTree(tree) && look.full(this.#get(point.parent) as ModelNode)) {
        next += skipTreeInPreview(tree, look);
        continue;
      }
      if (typeof tree === "number") {
        this.#place(tree, point);
        continue;
      }
      if (this.#get(next)) return this.#fail(); // Ids are never used twice.
      const inner = isInnerTree(tree);
      // The root stands before its children come: a tree may take in the very nodes around it.
      const [root, after] = createTree(
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
    for (const id of ids) this.#place(parseNumber(id), point);
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
    const known: ModelNode[] = [];
    for (const id of ids) {
      const node = this.#get(parseNumber(id));
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
    if (this.#version.adopted.has(id)) this.#own("adopted").delete(id);
    for (const [number, sheet] of this.#version.sheets) if (sheet.owner === id) this.#own("sheets").delete(number);
    for (const [key, animation] of this.#version.animations)
      if (animation.node === id) this.#own("animations").delete(key);
    this.#version = removeNodeReferences(this.#version, id);
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
    let key = parseNumber(op[1] as Json);
    let name = "";
    for (const item of op.slice(3) as Json[]) {
      if (typeof item === "string") {
        name = item;
        continue;
      }
      const animation = { ...state, name } as Json;
      if (!this.#get(parseNumber(item))) this.#fail();
      else this.#setAnimation(key, parseNumber(item), animation, t);
      key++;
    }
    return op.length;
  }

  #animate(id: number, op: Op, t: number): number {
    const key = parseNumber(op[2]);
    if (op[3] === null || op[3] === undefined) this.#own("animations").delete(key);
    else if (!this.#get(id)) return this.#fail();
    else this.#setAnimation(key, id, op[3], t);
    return 1;
  }

  #setAnimation(key: number, id: number, told: Json, t: number): void {
    this.#own("animations").set(key, updateAnimationState(id, told, t, this.#version.animations.get(key)));
  }

  #adopt(root: number, numbers: readonly number[]): number {
    if (!this.#get(root)) return this.#fail();
    const sheets = numbers.filter((number) => this.#version.sheets.has(number));
    if (sheets.length) this.#own("adopted").set(root, sheets);
    else this.#own("adopted").delete(root);
    return 1;
  }

  /** A map of the version that may be changed: a copy, if one that was handed out has it as well. */
  #own<N extends "sheets" | "adopted" | "animations">(name: N): Writable<DocumentVersion[N]> {
    if (this.#copied[name] !== this.#token) {
      this.#version = { ...this.#version, [name]: new Map<number, unknown>(this.#version[name]) };
      this.#copied[name] = this.#token;
    }
    return this.#version[name] as Writable<DocumentVersion[N]>;
  }

  #state(id: number, state: NodeState | ((node: ModelNode) => NodeState), also = ""): number {
    return this.#change(
      id,
      ({ kind }) => !also || kind === "element" || kind === also,
      (node) => {
        node.state = { ...node.state, ...(typeof state === "function" ? state(node) : state) };
      },
    );
  }

  #change(id: number, fits: (node: ModelNode) => boolean, how: (node: ModelNode) => void): number {
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

  #get(id: number): ModelNode | undefined {
    return id > 0 ? trieGet(this.#version.nodes, id) : undefined;
  }

  #put(id: number, node: ModelNode | undefined): void {
    const nodes = trieSet(this.#version.nodes, id, node, this.#token);
    if (nodes !== this.#version.nodes) this.#version = { ...this.#version, nodes };
  }

  #edit(id: number): ModelNode {
    const node = this.#get(id) as ModelNode;
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

  #sink(placeTop?: (root: ModelNode) => void): TreeReceiver {
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
