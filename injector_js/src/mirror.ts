// What the recording knows of the document's shape: which node has which id, and which ids stand below which. It is the skeleton of
// the page model, kept beside the page so that a node's fate can be told without walking the page: which ids die with a removed
// subtree follows from here and not from the live tree, which may have changed again since.
//
// Typed arrays, 16 bytes a node: a page of 250,000 nodes costs 4 MB and no garbage.

const DEAD = -1;

export class Mirror {
  private ids = new WeakMap<Node, number>();
  private parent = new Int32Array(1024);
  private first = new Int32Array(1024);
  private next = new Int32Array(1024);
  private previous = new Int32Array(1024);
  /** The next id to be given. Ids begin at 1 and are never used twice in a document. */
  nextId = 1;
  /** Ids below this one belong to a tree that was forgotten. */
  private base = 1;

  /** The node's id while it is part of the recording, else 0. */
  idOf(node: Node): number {
    const id = this.ids.get(node);
    return id !== undefined && this.parent[id] !== DEAD ? id : 0;
  }

  /** The id of the parent; 0 for a document. Of ids that are alive only. */
  parentOf(id: number): number {
    return this.parent[id] as number;
  }

  /** Gives a new id to a node, below the node with id `parent` (0 for the document). */
  add(node: Node, parent: number): number {
    const id = this.nextId++;
    if (id >= this.parent.length) this.grow();
    this.ids.set(node, id);
    this.first[id] = 0;
    this.link(id, parent);
    return id;
  }

  /** Puts an id below another parent. */
  move(id: number, parent: number): void {
    this.unlink(id);
    this.link(id, parent);
  }

  /** Forgets an id and all below it. */
  remove(id: number, gone: (id: number) => void): void {
    this.unlink(id);
    const stack = [id];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      for (let child = this.first[top] as number; child !== 0; child = this.next[child] as number) stack.push(child);
      this.parent[top] = DEAD;
      gone(top);
    }
  }

  /** Forgets all nodes; ids go on from where they were. */
  clear(): void {
    this.ids = new WeakMap();
    this.base = this.nextId;
  }

  /** Whether the id still stands for a node of the recording. */
  alive(id: number): boolean {
    return id >= this.base && id < this.nextId && this.parent[id] !== DEAD;
  }

  private link(id: number, parent: number): void {
    const head = this.first[parent] as number;
    this.parent[id] = parent;
    this.previous[id] = 0;
    this.next[id] = parent === 0 ? 0 : head;
    if (parent === 0) return;
    if (head !== 0) this.previous[head] = id;
    this.first[parent] = id;
  }

  private unlink(id: number): void {
    const before = this.previous[id] as number;
    const after = this.next[id] as number;
    const parent = this.parent[id] as number;
    if (before !== 0) this.next[before] = after;
    else if (parent > 0) this.first[parent] = after;
    if (after !== 0) this.previous[after] = before;
  }

  private grow(): void {
    for (const name of ["parent", "first", "next", "previous"] as const) {
      const larger = new Int32Array(this[name].length * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}
