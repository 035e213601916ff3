// From MutationObserver's records to ops.
//
// A record says that a node was added or removed at some moment; what counts is where the node stands when the transaction is made. So the
// records only mark nodes as touched, and the live tree says the rest:
//
//   1. A touched node whose parent is known is placed: inserted when it is new, moved when it was known. It goes after its nearest
//      sibling to the left that is settled, that is known and not waiting to be placed itself: in the mirror's order, before whatever
//      follows that sibling there, which is settled too or will leave. A run of unsettled neighbours is placed from left to right.
//   2. Before anything is placed below a parent, that parent's waiting ancestors are placed, so that no node is ever moved into its own
//      subtree: in the final tree an ancestor cannot stand below its descendant.
//   3. A touched node that was known and whose parent is not part of the recording any more is removed, last, when all that was moved out
//      of it has left.
//   4. A new node whose parent is new too is part of the parent's tree; nothing is done for it.
//   5. When the budget has run out, what is left waits for the next slice and is read as it is then: known nodes in `waiting`, new ones in
//      `fresh`, and the children that the encoder has not reached by their parent, in `open`. What was not placed is not removed either.
//
// Settled siblings keep their order among themselves, for no record touched them; hence the result equals the live tree. The
// checkpoints hold this to account.

import {
  ELEMENT_NODE,
  firstChild,
  isConnected,
  isHtmlElementNamed,
  localName,
  namespacedAttribute,
  nextSibling,
  nodeType,
  parentNode,
  previousSibling,
} from "./dom.ts";
import { type TreeEncoder, encodeAttribute, encodeCharacterData } from "./encoding/encode.ts";
import { type Op, setOwnProperty, type Tree } from "./encoding/ops.ts";
import type { ModelMirror } from "./mirror.ts";
import { areChildrenUnrecorded, type MaskedFields } from "./policy.ts";

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
  const attribute = namespacedAttribute(target as Element, attributeNamespace, local);
  return attribute?.name ?? (PREFIXES[attributeNamespace] ?? "") + local;
}

/** The callbacks by which {@link MutationCollector} reports what it finds in the browser's mutation records. */
export interface ChangeListener {
  /** The node with this id is not part of the recording any more. */
  forget(id: number): void;
  /** An attribute `open` was set or removed: each time, in order. */
  toggled(element: Element): void;
  /** Attributes of a known element changed. */
  attributes(element: Element, changes: Readonly<Record<string, string | null>>): void;
}

/** Converts the browser's mutation records into ops, from the live tree at the time of the transaction. */
export class MutationCollector {
  /** Nodes that records named as new below a known parent. */
  private readonly fresh = new Set<Node>();
  /** Known nodes that records named and that have not been placed since, with their ids: one that died and came back is another. */
  private readonly waiting = new Map<Node, number>();
  /** Those of them that are to be tried next. What had no known parent then is placed with its parent, or removed at the end. */
  private readonly queue = new Set<Node>();
  /** Known parents whose children the encoder has not all reached, with the last one that it has (null: it begins at the first). */
  private readonly open = new Map<Node, Node | null>();
  private readonly attributes = new Map<Element, string[]>();
  private readonly texts = new Set<CharacterData>();
  private deferred: Node[] = [];
  /** Open parents with such ancestors. */
  private blocked: Node[] = [];
  /** Known nodes, by id, that had left the document when the records of it came: from then on nothing in them was observed. */
  private readonly lost = new Map<number, { readonly node: Node; readonly turn: number }>();
  private turn = 0;

  constructor(
    private readonly mirror: ModelMirror,
    private readonly encoder: TreeEncoder,
    private readonly masks: MaskedFields,
    private readonly events: ChangeListener,
  ) {}

  get pending(): boolean {
    return this.structural || this.attributes.size > 0 || this.texts.size > 0;
  }

  private get structural(): boolean {
    const { fresh, waiting, open, deferred, blocked } = this;
    return fresh.size + waiting.size + open.size + deferred.length + blocked.length > 0;
  }

  /** Whether known nodes may stand in a new tree: records told of each that has left its place, and it has waited since. */
  get mixed(): boolean {
    return this.waiting.size > 0;
  }

  clear(): void {
    this.fresh.clear();
    this.waiting.clear();
    this.queue.clear();
    this.deferred = [];
    this.blocked = [];
    this.open.clear();
    this.attributes.clear();
    this.texts.clear();
    this.lost.clear();
  }

  /** Takes the observer's records; cheap, called for every batch that the browser delivers. */
  note(records: readonly MutationRecord[]): void {
    this.turn++;
    for (const record of records) {
      const { type, target } = record;
      if (type === "attributes") {
        // A dialog or <details> that is new has its place among the others that were opened before it is placed itself.
        if (record.attributeName === "open") this.events.toggled(target as Element);
        // What the recording does not know is read as it is when its turn comes.
        if (this.mirror.idOf(target) === 0) continue;
        const name = qualifiedName(record);
        const names = this.attributes.get(target as Element);
        if (!names) this.attributes.set(target as Element, [name]);
        else if (!names.includes(name)) names.push(name);
      } else if (type === "characterData") {
        if (this.mirror.idOf(target) !== 0) this.texts.add(target as CharacterData);
      } else {
        // Below a parent that is new itself only known nodes matter, and they wait since they left their place.
        const known = this.mirror.idOf(target) !== 0;
        if (!known && this.waiting.size === 0) continue;
        const { addedNodes, removedNodes } = record;
        for (let i = 0; i < removedNodes.length; i++) this.left(removedNodes[i] as Node);
        for (let i = 0; i < addedNodes.length; i++) this.came(addedNodes[i] as Node, known);
      }
    }
  }

  private left(node: Node): void {
    const id = this.mirror.idOf(node);
    if (id === 0) return;
    this.wait(node, id);
    if (!isConnected(node) && !this.lost.has(id)) this.lost.set(id, { node, turn: this.turn });
  }

  private came(node: Node, parentKnown: boolean): void {
    const id = this.mirror.idOf(node);
    if (id === 0) {
      if (parentKnown) this.fresh.add(node);
      return;
    }
    this.wait(node, id);
    if (this.lost.size === 0) return;
    // Out of a subtree that had left before: what happened to it there was not observed either.
    for (let up = id; up > 0; up = this.mirror.parentOf(up)) {
      const lost = this.lost.get(up);
      if (!lost || lost.turn === this.turn) continue;
      this.lost.set(id, { node, turn: this.turn });
      return;
    }
  }

  private wait(node: Node, id: number): void {
    this.waiting.set(node, id);
    this.queue.add(node);
  }

  /** Children of this known node were left out by the encoder. */
  leftOpen(parent: Node): void {
    this.open.set(parent, null);
  }

  /** A known node was encoded as a part of a new tree. */
  placed(node: Node): void {
    this.waiting.delete(node);
  }

  /** Makes the ops for all that is pending, or for as much as the encoder's budget allows. */
  collect(ops: Op[]): void {
    const firstNew = this.mirror.nextId;
    if (this.structural) this.structure(ops);
    for (const node of this.texts) {
      if (this.encoder.exhausted) return;
      this.texts.delete(node);
      const id = this.mirror.idOf(node);
      if (id !== 0 && id < firstNew) ops.push(["text", id, encodeCharacterData(node, this.masks)]);
    }
    for (const [element, names] of this.attributes) {
      if (this.encoder.exhausted) return;
      this.attributes.delete(element);
      const id = this.mirror.idOf(element);
      if (id !== 0 && id < firstNew) this.changedAttributes(element, id, names, ops);
    }
  }

  private changedAttributes(element: Element, id: number, names: string[], ops: Op[]): void {
    if (isHtmlElementNamed(element, "script")) return;
    const changed: Record<string, string | null> = {};
    // A change of type or autocomplete can make a value secret: then it is sent again, masked.
    if (names.includes("type") || names.includes("autocomplete")) names.push("value");
    for (const name of names) setOwnProperty(changed, name, encodeAttribute(element, name, this.masks));
    ops.push(["attr", id, changed]);
    this.events.attributes(element, changed);
  }

  private structure(ops: Op[]): void {
    const { mirror, waiting, fresh, encoder } = this;
    for (const [id, { node }] of this.lost) {
      if (!mirror.alive(id)) this.lost.delete(id);
      else if (isConnected(node)) {
        // It came back, perhaps changed: it is told anew, not moved.
        this.lost.delete(id);
        ops.push(["del", id]);
        mirror.remove(id, this.events.forget);
      }
    }
    for (const node of this.queue) {
      if (encoder.exhausted) return;
      this.queue.delete(node);
      const id = mirror.idOf(node);
      if (id === 0)
        fresh.add(node); // it went with an ancestor, and may have come back since
      else if (waiting.get(node) === id) this.place(node, ops);
    }
    this.resume(ops);
    for (const node of fresh) {
      if (encoder.exhausted) return;
      fresh.delete(node);
      if (mirror.idOf(node) === 0) this.place(node, ops);
    }
    this.resume(ops);
    if (encoder.exhausted) return;
    // A node can wait for an ancestor that only came with a tree encoded after it.
    for (let deferred = this.deferred; deferred.length > 0; ) {
      this.deferred = [];
      for (const node of deferred) this.place(node, ops);
      if (this.deferred.length >= deferred.length) break;
      deferred = this.deferred;
    }
    for (const parent of this.blocked.splice(0)) this.open.set(parent, null);
    this.resume(ops);
    // What the budget has kept from its place, and not an ancestor that is gone, is tried again.
    if (encoder.exhausted || this.open.size > 0) return;
    this.deferred = [];
    this.blocked = [];
    // What is still waiting stands below no known parent.
    for (const [node, id] of waiting) {
      if (encoder.exhausted) return;
      waiting.delete(node);
      if (mirror.idOf(node) !== id) continue; // it went with an ancestor
      ops.push(["del", id]);
      mirror.remove(id, this.events.forget);
    }
  }

  /** The id of the parent under which this node is recorded, or 0. */
  private parentOf(node: Node): number {
    const parent = parentNode(node);
    if (!parent) return 0;
    const id = this.mirror.idOf(parent);
    if (id === 0) return 0;
    return nodeType(parent) === ELEMENT_NODE && areChildrenUnrecorded(localName(parent as Element)) ? 0 : id;
  }

  private waits(node: Node, id: number): boolean {
    return this.waiting.size > 0 && this.waiting.get(node) === id;
  }

  private settled(node: Node): boolean {
    const id = this.mirror.idOf(node);
    return id !== 0 && !this.waits(node, id);
  }

  private place(node: Node, ops: Op[]): void {
    if (this.parentOf(node) === 0) return;
    if (this.waiting.size > 0 && !this.settleAncestors(node, ops)) {
      this.deferred.push(node);
      return;
    }
    // A settled ancestor may have brought this node along.
    if (this.settled(node) || this.parentOf(node) === 0) return;
    let start = node;
    let left = previousSibling(node);
    while (left && !this.settled(left)) {
      start = left;
      left = previousSibling(left);
    }
    this.run(parentNode(node) as Node, left, start, ops);
  }

  /** Encodes the rest of the children of open parents. */
  private resume(ops: Op[]): void {
    for (const [parent, cursor] of this.open) {
      if (this.encoder.exhausted) break;
      this.open.delete(parent);
      if (this.mirror.idOf(parent) === 0) continue;
      let left = cursor && parentNode(cursor) === parent && this.settled(cursor) ? cursor : null;
      let child = left ? nextSibling(left) : firstChild(parent);
      if (child && this.waiting.size > 0 && !this.settleAncestors(child, ops)) {
        this.blocked.push(parent);
        continue;
      }
      while (child) {
        if (this.settled(child)) left = child;
        else left = this.run(parent, left, child, ops);
        if (this.open.has(parent)) break;
        child = left ? nextSibling(left) : null;
      }
    }
  }

  /**
   * Places a run of unsettled siblings, from `from` on, after the settled sibling `left` (null: at the beginning). Gives the last that
   * is in place then; when the budget runs out, the parent is open.
   */
  private run(parentNode: Node, left: Node | null, from: Node, ops: Op[]): Node | null {
    const { mirror, waiting } = this;
    const parent = mirror.idOf(parentNode);
    let lastId = left ? mirror.idOf(left) : 0;
    let last = left;
    let trees: Tree[] = [];
    let moves: number[] = [];
    let first = 0;
    let before = 0;
    const end = () => {
      const at = before === 0 ? parent : -before;
      if (trees.length > 0) ops.push(["add", at, first, ...trees]);
      else if (moves.length > 0) ops.push(["move", at, ...moves]);
      if (trees.length > 0) trees = [];
      if (moves.length > 0) moves = [];
    };
    for (let sibling: Node | null = from; sibling; sibling = nextSibling(sibling)) {
      const follower = lastId === 0 ? mirror.firstOf(parent) : mirror.nextOf(lastId);
      const id = mirror.idOf(sibling);
      if (id !== 0) {
        if (!this.waits(sibling, id)) break;
        waiting.delete(sibling);
        if (trees.length > 0 || follower !== before) end();
        if (follower !== id) {
          before = follower;
          mirror.move(id, parent, follower);
          moves.push(id);
        }
        lastId = id;
      } else if (this.encoder.exhausted) {
        this.open.set(parentNode, last);
        break;
      } else {
        // What they go before may have gone into one of them.
        if (moves.length > 0 || (trees.length > 0 && follower !== before)) end();
        if (trees.length === 0) {
          before = follower;
          first = mirror.nextId;
        }
        lastId = mirror.nextId;
        trees.push(this.encoder.tree(sibling, parent, follower));
      }
      last = sibling;
    }
    end();
    return last;
  }

  /** Places the waiting ancestors of a node, the topmost first. False when one of them is not in the document any more. */
  private settleAncestors(node: Node, ops: Op[]): boolean {
    let chain: Node[] | null = null;
    for (let up = parentNode(node); up; up = parentNode(up) ?? (up instanceof ShadowRoot ? up.host : null)) {
      if (this.waits(up, this.mirror.idOf(up))) {
        chain ??= [];
        chain.push(up);
      }
    }
    if (!chain) return true;
    for (let ancestor = chain.pop(); ancestor; ancestor = chain.pop()) {
      if (!this.waits(ancestor, this.mirror.idOf(ancestor))) continue;
      this.place(ancestor, ops);
      if (this.waits(ancestor, this.mirror.idOf(ancestor))) return false;
    }
    return true;
  }
}
