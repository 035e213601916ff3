// From MutationObserver's records to ops.
//
// A record says that a node was added or removed at some moment; what counts is where the node stands when the transaction is made. So the
// records only mark nodes as touched, and the live tree says the rest:
//
//   1. A touched node whose parent is known is placed: inserted when it is new, moved when it was known. The point of insertion is the next
//      sibling that is settled, that is known and not waiting to be placed itself, else the end of the parent. A run of waiting
//      neighbours is placed at one point, from left to right, which keeps their order.
//   2. Before anything is placed below a parent, that parent's waiting ancestors are placed, so that no node is ever moved into its own
//      subtree: in the final tree an ancestor cannot stand below its descendant.
//   3. A touched node that was known and whose parent is not part of the recording any more is removed, last, when all that was moved out
//      of it has left.
//   4. A new node whose parent is new too is part of the parent's tree; nothing is done for it.
//
// Settled siblings keep their order among themselves, for no record touched them; hence the result equals the live tree. The
// checkpoints hold this to account.

import { isConnected, isHTML, nextSibling, parentNode, previousSibling } from "./dom.ts";
import { encodeAttribute, type Encoder, encodeData } from "./encoding/encode.ts";
import type { Op, Tree } from "./encoding/ops.ts";
import type { Mirror } from "./mirror.ts";
import { hidesChildren, type Masks } from "./policy.ts";

const PREFIXES: Readonly<Record<string, string>> = {
  "http://www.w3.org/1999/xlink": "xlink:",
  "http://www.w3.org/XML/1998/namespace": "xml:",
  "http://www.w3.org/2000/xmlns/": "xmlns:",
};

/** The attribute's name as it is written; a record splits it into namespace and local name. */
function qualifiedName(record: MutationRecord): string {
  const { attributeName, attributeNamespace, target } = record;
  const local = attributeName as string;
  if (!attributeNamespace) return local;
  const attribute = (target as Element).getAttributeNodeNS(attributeNamespace, local);
  return attribute?.name ?? (PREFIXES[attributeNamespace] ?? "") + local;
}

/** What the owner is told about on the way. */
export interface ChangeEvents {
  /** The node with this id is not part of the recording any more. */
  forget(id: number): void;
  /** An attribute `open` was set or removed: each time, in order. */
  toggled(element: Element): void;
  /** Attributes of a known element changed. */
  attributes(element: Element, names: readonly string[]): void;
}

export class Changes {
  /** Nodes that records named as added or removed, or that the encoder left for later. */
  private touched = new Set<Node>();
  private readonly attributes = new Map<Element, string[]>();
  private readonly texts = new Set<CharacterData>();
  /** Known nodes that were touched and have not been placed yet. */
  private waiting = new Set<Node>();
  private deferred: Node[] = [];
  /** Known nodes, by id, that had left the document when the records of it came: from then on nothing in them was observed. */
  private readonly lost = new Map<number, { readonly node: Node; readonly turn: number }>();
  private turn = 0;

  constructor(
    private readonly mirror: Mirror,
    private readonly encoder: Encoder,
    private readonly masks: Masks,
    private readonly events: ChangeEvents,
  ) {}

  get pending(): boolean {
    return this.touched.size > 0 || this.attributes.size > 0 || this.texts.size > 0;
  }

  clear(): void {
    this.touched.clear();
    this.attributes.clear();
    this.texts.clear();
    this.waiting.clear();
    this.lost.clear();
  }

  /** Takes the observer's records; cheap, called for every batch that the browser delivers. */
  note(records: readonly MutationRecord[]): void {
    this.turn++;
    for (const record of records) {
      const { type, target } = record;
      if (type === "attributes") {
        const name = qualifiedName(record);
        if (name === "open") this.events.toggled(target as Element);
        const names = this.attributes.get(target as Element);
        if (!names) this.attributes.set(target as Element, [name]);
        else if (!names.includes(name)) names.push(name);
      } else if (type === "characterData") {
        this.texts.add(target as CharacterData);
      } else {
        const { addedNodes, removedNodes } = record;
        for (let i = 0; i < removedNodes.length; i++) this.left(removedNodes[i] as Node);
        for (let i = 0; i < addedNodes.length; i++) this.came(addedNodes[i] as Node);
      }
    }
  }

  private left(node: Node): void {
    this.touched.add(node);
    if (isConnected(node)) return;
    const id = this.mirror.idOf(node);
    if (id !== 0 && !this.lost.has(id)) this.lost.set(id, { node, turn: this.turn });
  }

  private came(node: Node): void {
    this.touched.add(node);
    if (this.lost.size === 0) return;
    // Out of a subtree that had left before: what happened to it there was not observed either.
    const id = this.mirror.idOf(node);
    for (let up = id; up > 0; up = this.mirror.parentOf(up)) {
      const lost = this.lost.get(up);
      if (!lost || lost.turn === this.turn) continue;
      this.lost.set(id, { node, turn: this.turn });
      return;
    }
  }

  /** A node that the encoder left out. */
  later(node: Node): void {
    this.touched.add(node);
  }

  /** A known node was encoded as a part of a new tree. */
  placed(node: Node): void {
    this.waiting.delete(node);
  }

  /** Makes the ops for all that is pending, or for as much as the encoder's budget allows. */
  collect(ops: Op[]): void {
    const firstNew = this.mirror.nextId;
    if (this.touched.size > 0) this.structure(ops);
    if (this.texts.size > 0) {
      for (const node of this.texts) {
        const id = this.mirror.idOf(node);
        if (id !== 0 && id < firstNew) ops.push(["text", id, encodeData(node, this.masks)]);
      }
      this.texts.clear();
    }
    if (this.attributes.size > 0) {
      for (const [element, names] of this.attributes) {
        const id = this.mirror.idOf(element);
        if (id !== 0 && id < firstNew) this.changedAttributes(element, id, names, ops);
      }
      this.attributes.clear();
    }
  }

  private changedAttributes(element: Element, id: number, names: string[], ops: Op[]): void {
    if (isHTML(element, "script")) return;
    const changed: Record<string, string | null> = {};
    // A change of type or autocomplete can make a value secret: then it is sent again, masked.
    if (names.includes("type") || names.includes("autocomplete")) names.push("value");
    for (const name of names) changed[name] = encodeAttribute(element, name, this.masks);
    ops.push(["attr", id, changed]);
    this.events.attributes(element, names);
  }

  private structure(ops: Op[]): void {
    const touched = this.touched;
    this.touched = new Set();
    const { mirror, waiting } = this;
    for (const [id, { node }] of this.lost) {
      // It came back, perhaps changed: it is told anew, not moved.
      if (!mirror.alive(id) || !isConnected(node)) continue;
      ops.push(["del", id]);
      mirror.remove(id, this.events.forget);
    }
    this.lost.clear();
    for (const node of touched) if (mirror.idOf(node) !== 0) waiting.add(node);
    for (const node of touched) {
      const known = mirror.idOf(node) !== 0;
      if (known && !waiting.has(node)) continue; // placed meanwhile
      if (!known && this.encoder.exhausted) this.later(node);
      else this.place(node, ops);
    }
    // A node can wait for an ancestor that only came with a tree encoded after it.
    for (let deferred = this.deferred; deferred.length > 0; ) {
      this.deferred = [];
      for (const node of deferred) this.place(node, ops);
      if (this.deferred.length >= deferred.length) break;
      deferred = this.deferred;
    }
    this.deferred = [];
    // What is still waiting stands below no known parent.
    for (const node of waiting) {
      const id = mirror.idOf(node);
      if (id === 0) continue; // it went with an ancestor
      ops.push(["del", id]);
      mirror.remove(id, this.events.forget);
    }
    waiting.clear();
  }

  /** The id of the parent under which this node is recorded, or 0. */
  private parentOf(node: Node): number {
    const parent = parentNode(node);
    if (!parent) return 0;
    const id = this.mirror.idOf(parent);
    if (id === 0) return 0;
    return parent instanceof Element && hidesChildren(parent) ? 0 : id;
  }

  private place(node: Node, ops: Op[]): void {
    if (this.parentOf(node) === 0) return;
    if (this.waiting.size > 0 && !this.settleAncestors(node, ops)) {
      this.deferred.push(node);
      return;
    }
    const { mirror, waiting } = this;
    // A settled ancestor may have brought this node along.
    if (mirror.idOf(node) !== 0 && !waiting.has(node)) return;
    const parent = this.parentOf(node);
    if (parent === 0) return;

    const settled = (sibling: Node) => mirror.idOf(sibling) !== 0 && !waiting.has(sibling);
    let after = nextSibling(node);
    while (after && !settled(after)) after = nextSibling(after);
    let start = node;
    for (let before = previousSibling(start); before && !settled(before); before = previousSibling(start))
      start = before;

    const at = after ? -mirror.idOf(after) : parent;
    let trees: Tree[] = [];
    let first = 0;
    let moves: number[] = [];
    const endTrees = () => {
      if (trees.length > 0) ops.push(["add", at, first, ...trees]);
      trees = [];
    };
    const endMoves = () => {
      if (moves.length > 0) ops.push(["move", at, ...moves]);
      moves = [];
    };
    for (let sibling: Node | null = start; sibling && sibling !== after; ) {
      const next: Node | null = nextSibling(sibling);
      const id = mirror.idOf(sibling);
      if (id !== 0) {
        endTrees();
        mirror.move(id, parent);
        waiting.delete(sibling);
        moves.push(id);
      } else if (this.encoder.exhausted) {
        this.later(sibling);
      } else {
        endMoves();
        if (trees.length === 0) first = mirror.nextId;
        trees.push(this.encoder.tree(sibling, parent));
      }
      sibling = next;
    }
    endTrees();
    endMoves();
  }

  /** Places the waiting ancestors of a node, the topmost first. False when one of them is not in the document any more. */
  private settleAncestors(node: Node, ops: Op[]): boolean {
    let chain: Node[] | null = null;
    for (let up = parentNode(node); up; up = parentNode(up) ?? (up instanceof ShadowRoot ? up.host : null)) {
      if (this.waiting.has(up)) {
        chain ??= [];
        chain.push(up);
      }
    }
    if (!chain) return true;
    for (let ancestor = chain.pop(); ancestor; ancestor = chain.pop()) {
      if (!this.waiting.has(ancestor)) continue;
      this.place(ancestor, ops);
      if (this.waiting.has(ancestor)) return false;
    }
    return true;
  }
}
