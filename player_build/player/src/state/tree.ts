// Trees as the wire has them (docs/format.md, "Nodes and trees") into nodes with ids.

import type { Json } from "../decode/events.ts";
import type { PagePreview } from "./page-preview.ts";
import {
  getCanonicalTag,
  type NodeKind,
  type NodeState,
  PARENT_KINDS,
  createEmptyRecord,
  type ModelNode,
} from "./node.ts";

const KINDS: Readonly<Record<string, NodeKind>> = {
  "#document": "document",
  "#doctype": "doctype",
  "#comment": "comment",
  "#cdata": "cdata",
  "#pi": "pi",
  "#shadow": "shadow",
  "#content": "content",
};

/** Receives the nodes that createTree makes. */
export interface TreeReceiver {
  /** A new node, before its children; its parent is there already. `top`: it is the root of the tree. */
  create(node: ModelNode, top: boolean): void;
  /** A node that exists already stands here: take it from where it is. False: it is not known. */
  adopt(id: number, parent: number): boolean;
  readonly token: number;
  /** Says which nodes are to have no more children: what would come is only counted. */
  readonly look?: PagePreview | undefined;
}

/**
 * Creates the nodes of a serialized tree, with ids from `first` on. Returns the id of its root (0: none) and the next
 * free id.
 */
export function createTree(
  tree: Json,
  first: number,
  parent: number,
  sink: TreeReceiver,
): [root: number, next: number] {
  let next = first;
  let top = true;

  function create(node: ModelNode): void {
    const isTop = top;
    top = false;
    sink.create(node, isTop);
  }

  function visit(item: Json, parent: number): number {
    if (typeof item === "number") return sink.adopt(item, parent) ? item : 0;
    if (typeof item === "string") {
      const node = blank(next++, "text", "", parent, sink.token);
      node.data = item;
      create(node);
      return node.id;
    }
    const kind = kindOf(item);
    if (!Array.isArray(item) || kind === undefined) return 0;
    const name = item[0] as string;
    if (kind === "comment" || kind === "cdata") {
      const node = blank(next++, kind, "", parent, sink.token);
      node.data = text(item[1]);
      create(node);
      return node.id;
    }
    if (kind === "pi" || kind === "doctype") {
      const node = blank(next++, kind, text(item[1]), parent, sink.token);
      node.data = kind === "pi" ? text(item[2]) : `${text(item[2])}\x1f${text(item[3])}`;
      create(node);
      return node.id;
    }
    const properties = isRecord(item[1]) ? item[1] : {};
    const tag = kind === "element" ? getCanonicalTag(name) : kind === "shadow" ? text(properties.mode ?? "open") : "";
    const plain = blank(next++, kind, tag, parent, sink.token);
    const node = kind === "shadow" ? { ...plain, options: properties } : plain;
    if (kind === "element") node.attributes = strings(properties);
    create(node);
    for (let at = isRecord(item[1]) ? 2 : 1; at < item.length; at++) {
      const child = item[at] as Json;
      if (sink.look?.full(node) && !isInnerTree(child)) {
        next += skipTreeInPreview(child, sink.look);
        continue;
      }
      const id = visit(child, node.id);
      if (id === 0) continue;
      if (isInnerTree(child)) node.inner = id;
      else if (node.childrenToken !== SHARED) node.children.push(id);
      else {
        node.children = [id];
        node.childrenToken = sink.token;
      }
    }
    return node.id;
  }

  const root = visit(tree, parent);
  return [root, next];
}

/** Leaves a serialized tree out of a preview. Returns the number of ids that its nodes take. */
export function skipTreeInPreview(item: Json, look: PagePreview): number {
  if (typeof item === "number") look.lost = true; // It goes from where it was.
  const kind = kindOf(item);
  let size = kind ? 1 : 0;
  if (PARENT_KINDS.has(kind as NodeKind))
    for (const child of (item as Json[]).slice(1)) if (!isRecord(child)) size += skipTreeInPreview(child, look);
  return size;
}

function kindOf(item: Json | undefined): NodeKind | undefined {
  if (typeof item === "string") return "text";
  const name = Array.isArray(item) && item[0];
  if (typeof name !== "string") return undefined;
  return name.startsWith("#") ? KINDS[name] : "element";
}

/**
 * Returns whether a serialized tree is a shadow root or a template's content, which belongs to an element but is not
 * its child.
 */
export function isInnerTree(tree: Json): boolean {
  return Array.isArray(tree) && (tree[0] === "#shadow" || tree[0] === "#content");
}

/** What most nodes do not have, once for all of them: a large page has a hundred thousand. Whoever adds to it makes a new one. */
const NO_CHILDREN: number[] = [];
const NO_ATTRIBUTES: Readonly<Record<string, string>> = createEmptyRecord<string>();
const NO_STATE: NodeState = {};

/** No edit has this one: what carries it is copied before it is changed. */
const SHARED = 0;

function blank(id: number, kind: NodeKind, tag: string, parent: number, token: number): ModelNode {
  return {
    id,
    kind,
    tag,
    parent,
    children: NO_CHILDREN,
    inner: 0,
    attributes: NO_ATTRIBUTES,
    data: "",
    state: NO_STATE,
    token,
    childrenToken: SHARED,
  };
}

function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function strings(properties: { [key: string]: Json }): Readonly<Record<string, string>> {
  let result: Record<string, string> | undefined;
  for (const name of Object.keys(properties)) {
    const value = properties[name];
    if (typeof value === "string") {
      result ??= createEmptyRecord();
      result[name] = value;
    }
  }
  return result ?? NO_ATTRIBUTES;
}
