// A persistent array: integer ids to values, branching 32 ways. Writing under a fresh token copies only the path to the
// slot, so an old version costs nothing to keep and two versions share all they have in common. That is what makes a
// keyframe a pointer, and the difference between two moments proportional to what changed between them.

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

interface Branch {
  token: number;
  slots: unknown[];
}

/** An immutable map from ids (integers from 0 on) to values; versions share their common branches. */
export interface Trie<T> {
  readonly root: Branch;
  /** Levels below the root; ids up to 32 ** (depth + 1) - 1 fit. */
  readonly depth: number;
  /** Only here to carry the type. */
  readonly _value?: T;
}

/** Returns a trie without values. */
export function emptyTrie<T>(): Trie<T> {
  return { root: { token: 0, slots: [] }, depth: 0 };
}

/** Returns the value at an id; undefined if there is none. */
export function trieGet<T>(trie: Trie<T>, id: number): T | undefined {
  if (id < 0 || id >= 2 ** (BITS * (trie.depth + 1))) return undefined;
  let branch = trie.root;
  for (let level = trie.depth; level > 0; level--) {
    const next = branch.slots[(id >>> (level * BITS)) & MASK] as Branch | undefined;
    if (next === undefined) return undefined;
    branch = next;
  }
  return branch.slots[id & MASK] as T | undefined;
}

/**
 * Returns the trie with `value` at `id`; undefined removes it. Branches that already carry `token` are changed in
 * place, and empty ones removed.
 */
export function trieSet<T>(trie: Trie<T>, id: number, value: T | undefined, token: number): Trie<T> {
  let { root, depth } = trie;
  while (id >= 2 ** (BITS * (depth + 1))) {
    root = { token, slots: root.slots.length ? [root] : [] };
    depth += 1;
  }
  root = put(root, depth, id, value, token) ?? { token, slots: [] };
  return root === trie.root && depth === trie.depth ? trie : { root, depth };
}

/** Without the empty ones, or the difference of two moments would grow with all that came and went between them. */
function put(branch: Branch | undefined, level: number, id: number, value: unknown, token: number): Branch | undefined {
  const mine = branch?.token === token ? branch : { token, slots: branch?.slots.slice() ?? [] };
  const slot = (id >>> (level * BITS)) & MASK;
  mine.slots[slot] = level ? put(mine.slots[slot] as Branch | undefined, level - 1, id, value, token) : value;
  return value !== undefined || mine.slots.some((item) => item !== undefined) ? mine : undefined;
}

/** Returns whether a trie has at least `count` values. */
export function trieHasAtLeast<T>(trie: Trie<T>, count: number): boolean {
  let left = count;
  const walk = (branch: Branch, level: number): void => {
    for (const item of branch.slots) {
      if (item === undefined) continue;
      if (level) walk(item as Branch, level - 1);
      else left -= 1;
      if (left <= 0) return;
    }
  };
  walk(trie.root, trie.depth);
  return left <= 0;
}

/** Calls `report` once for each id whose value is not the same object in both tries. */
export function trieDiff<T>(
  before: Trie<T>,
  after: Trie<T>,
  report: (id: number, before: T | undefined, after: T | undefined) => void,
): void {
  const depth = Math.max(before.depth, after.depth);
  walk(raise(before, depth), raise(after, depth), depth, 0);

  function walk(a: Branch | undefined, b: Branch | undefined, level: number, base: number): void {
    if (a === b) return;
    const width = Math.max(a?.slots.length ?? 0, b?.slots.length ?? 0);
    for (let slot = 0; slot < width; slot++) {
      const x = a?.slots[slot];
      const y = b?.slots[slot];
      if (x === y) continue;
      const id = base + slot * 2 ** (level * BITS);
      if (level === 0) report(id, x as T | undefined, y as T | undefined);
      else walk(x as Branch | undefined, y as Branch | undefined, level - 1, id);
    }
  }
}

function raise<T>(trie: Trie<T>, depth: number): Branch {
  let root = trie.root;
  for (let level = trie.depth; level < depth; level++) root = { token: -1, slots: root.slots.length ? [root] : [] };
  return root;
}
