// The decoder of trees, beside the encoder: what a tree says, as nodes with ids. The player's page state uses it too.

import { type Attributes, SPECIAL, type Tree } from "./ops.ts";

/** What a consumer builds out of a tree. `before` and `parent` are its own node type. */
export interface TreeBuilder<N> {
  /** Makes a node. `tag` is an element's tag or one of SPECIAL; text nodes have the tag "#text". */
  create(id: number, tag: string, attributes: Attributes | null, data: readonly string[]): N;
  /** Puts a new or moved node at the end of the parent's children. */
  append(parent: N, child: N): void;
  /** The existing node with this id, taken out of where it stands; null when there is none. */
  take(id: number): N | null;
}

/** Decodes one tree; gives its root and the first id after it. Does not recurse: the depth of a tree is the sender's choice. */
export function decodeTree<N>(tree: Tree, first: number, builder: TreeBuilder<N>): { root: N | null; next: number } {
  let next = first;
  if (typeof tree === "number") return { root: builder.take(tree), next };
  const make = (item: Exclude<Tree, number>): N => {
    if (typeof item === "string") return builder.create(next++, "#text", null, [item]);
    const tag = item[0];
    switch (tag) {
      case SPECIAL.comment:
      case SPECIAL.cdata:
      case SPECIAL.pi:
      case SPECIAL.doctype:
        return builder.create(next++, tag, null, item.slice(1) as unknown as string[]);
      default:
        return builder.create(next++, tag, item[1] as Attributes, []);
    }
  };
  const hasChildren = (item: Tree): item is Exclude<Tree, string | number> =>
    typeof item === "object" && item.length > 2 && !LEAVES.has(item[0]);

  const root = make(tree);
  if (!hasChildren(tree)) return { root, next };
  const stack: { items: Tree; at: number; node: N }[] = [{ items: tree, at: 2, node: root }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const items = top.items as Tree[];
    if (top.at >= items.length) {
      stack.pop();
      continue;
    }
    const item = items[top.at++] as Tree;
    if (typeof item === "number") {
      const known = builder.take(item);
      if (known) builder.append(top.node, known);
      continue;
    }
    const node = make(item);
    builder.append(top.node, node);
    if (hasChildren(item)) stack.push({ items: item, at: 2, node });
  }
  return { root, next };
}

const LEAVES: ReadonlySet<string> = new Set([SPECIAL.comment, SPECIAL.cdata, SPECIAL.pi, SPECIAL.doctype]);
