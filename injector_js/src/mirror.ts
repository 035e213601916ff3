// What the recording knows of the document's shape: which node has which id, and how the ids stand in the page model. It is the skeleton
// of that model, kept beside the page: which ids die with a removed subtree, and after which id a new node goes, follows from here and not
// from the live tree, which may have changed again since.
//
// Typed arrays, 20 bytes a node: a page of 250,000 nodes costs 5 MB and no garbage.

const DEAD = -1;

/** A map from DOM nodes to their ids in the recording. */
export interface NodeIds {
  get(node: Node): number | undefined;
  set(node: Node, id: number): void;
}

/**
 * Returns a map that stores each id in a property of its node. In an isolated world the page cannot see that property. It takes a third of
 * a WeakMap's time, and the garbage collector has no table of 100,000 pairs to search. The property's key is a symbol, because a form's
 * fields shadow properties with names.
 */
export function createNodeIdsAsProperty(): NodeIds {
  const key = Symbol("id");
  return {
    get: (node) => (node as unknown as Record<symbol, number | undefined>)[key],
    set: (node, id) => {
      (node as unknown as Record<symbol, number>)[key] = id;
    },
  };
}

/** Returns a map that stores ids in a WeakMap, for an injector that shares its JavaScript world with the page. */
export function createNodeIdsInWeakMap(): NodeIds {
  return new WeakMap<Node, number>();
}

/** The ids of the recorded nodes and their places in the page model's tree, kept beside the live tree. */
export class ModelMirror {
  private parent = new Int32Array(1024);
  private first = new Int32Array(1024);
  private last = new Int32Array(1024);
  private next = new Int32Array(1024);
  private previous = new Int32Array(1024);
  /** Shadow root or template content, by the id of the element. They stand beside its children. */
  private readonly inner = new Map<number, number>();
  /** The next id to be given. Ids begin at 1 and are never used twice in a document. */
  nextId = 1;
  /** How many nodes the recording has now. */
  size = 0;
  /** Ids below this one belong to a tree that was forgotten. */
  private base = 1;

  constructor(private readonly ids: NodeIds) {}

  /** The node's id while it is part of the recording, else 0. */
  idOf(node: Node): number {
    const id = this.ids.get(node);
    return id !== undefined && id >= this.base && this.parent[id] !== DEAD ? id : 0;
  }

  /** The id of the parent; 0 for a document. Of ids that are alive only. */
  parentOf(id: number): number {
    return this.parent[id] as number;
  }

  /** The id of the first child in the model, or 0. */
  firstOf(id: number): number {
    return this.first[id] as number;
  }

  /** The id of the next sibling in the model, or 0. */
  nextOf(id: number): number {
    return this.next[id] as number;
  }

  /** Gives a new id to a node, below the node with id `parent` (0 for the document), before the id `before` (0: at the end). */
  add(node: Node, parent: number, before = 0): number {
    const id = this.give(node);
    this.link(id, parent, before);
    return id;
  }

  /** Gives a new id to a shadow root or template content. */
  addInner(node: Node, host: number): number {
    const id = this.give(node);
    this.parent[id] = host;
    this.next[id] = 0;
    this.previous[id] = 0;
    this.inner.set(host, id);
    return id;
  }

  /** Puts an id below another parent, before the id `before` (0: at the end). */
  move(id: number, parent: number, before = 0): void {
    this.unlink(id);
    this.link(id, parent, before);
  }

  /** Forgets an id and all below it. */
  remove(id: number, gone: (id: number) => void): void {
    this.unlink(id);
    const stack = [id];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      for (let child = this.first[top] as number; child !== 0; child = this.next[child] as number) stack.push(child);
      if (this.inner.size > 0) {
        const inner = this.inner.get(top);
        if (inner !== undefined) {
          stack.push(inner);
          this.inner.delete(top);
        }
      }
      this.parent[top] = DEAD;
      this.size--;
      gone(top);
    }
  }

  /** Forgets all nodes; ids go on from where they were. */
  clear(): void {
    this.inner.clear();
    this.size = 0;
    this.base = this.nextId;
  }

  /** About how many elements there are: the browser would have to count them; of the nodes half are text. */
  get elements(): number {
    return this.size / 2;
  }

  /** Whether the id still stands for a node of the recording. */
  alive(id: number): boolean {
    return id >= this.base && id < this.nextId && this.parent[id] !== DEAD;
  }

  private give(node: Node): number {
    const id = this.nextId++;
    this.size++;
    if (id >= this.parent.length) this.grow();
    this.ids.set(node, id);
    this.first[id] = 0;
    this.last[id] = 0;
    return id;
  }

  private link(id: number, parent: number, before: number): void {
    this.parent[id] = parent;
    if (parent === 0) {
      this.previous[id] = 0;
      this.next[id] = 0;
      return;
    }
    const after = before === 0 ? (this.last[parent] as number) : (this.previous[before] as number);
    this.previous[id] = after;
    this.next[id] = before;
    if (after === 0) this.first[parent] = id;
    else this.next[after] = id;
    if (before === 0) this.last[parent] = id;
    else this.previous[before] = id;
  }

  private unlink(id: number): void {
    const before = this.previous[id] as number;
    const after = this.next[id] as number;
    const parent = this.parent[id] as number;
    if (before !== 0) this.next[before] = after;
    else if (this.first[parent] === id) this.first[parent] = after;
    if (after !== 0) this.previous[after] = before;
    else if (this.last[parent] === id) this.last[parent] = before;
  }

  private grow(): void {
    for (const name of ["parent", "first", "last", "next", "previous"] as const) {
      const larger = new Int32Array(this[name].length * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}
