// Trees as the wire has them (docs/format.md, "Nodes and trees") into nodes with ids.

import type { Json } from "../decode/events.ts";
import { canonicalTag, type NodeKind, type NodeState, record, type VNode } from "./node.ts";

const KINDS: Readonly<Record<string, NodeKind>> = {
  "#document": "document",
  "#doctype": "doctype",
  "#comment": "comment",
  "#cdata": "cdata",
  "#pi": "pi",
  "#shadow": "shadow",
  "#content": "content",
};

export interface TreeSink {
  /** A new node, before its children; its parent is there already. `top`: it is the root of the tree. */
  create(node: VNode, top: boolean): void;
  /** A node that exists already stands here: take it from where it is. False: it is not known. */
  adopt(id: number, parent: number): boolean;
  readonly token: number;
}

/** Creates the nodes of `tree` from id `first` on. Returns the id of its root (0: nothing) and the next free id. */
export function plant(tree: Json, first: number, parent: number, sink: TreeSink): [root: number, next: number] {
  let next = first;
  let top = true;

  function create(node: VNode): void {
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
    if (!Array.isArray(item) || typeof item[0] !== "string") return 0;
    const name = item[0];
    const kind = name.startsWith("#") ? KINDS[name] : "element";
    if (kind === undefined) return 0;
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
    const tag = kind === "element" ? canonicalTag(name) : kind === "shadow" ? text(properties.mode ?? "open") : "";
    const plain = blank(next++, kind, tag, parent, sink.token);
    const node = kind === "shadow" ? { ...plain, options: properties } : plain;
    if (kind === "element") node.attributes = strings(properties);
    create(node);
    for (let at = isRecord(item[1]) ? 2 : 1; at < item.length; at++) {
      const child = item[at] as Json;
      const id = visit(child, node.id);
      if (id === 0) continue;
      if (isInner(child)) node.inner = id;
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

/** A shadow root or template content: belongs to its element, but is none of its children. */
export function isInner(tree: Json): boolean {
  return Array.isArray(tree) && (tree[0] === "#shadow" || tree[0] === "#content");
}

/** What most nodes do not have, once for all of them: a large page has a hundred thousand. Whoever adds to it makes a new one. */
const NO_CHILDREN: number[] = Object.freeze([]) as unknown as number[];
const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze(record<string>());
const NO_STATE: NodeState = Object.freeze({});

/** No edit has this one: what carries it is copied before it is changed. */
const SHARED = 0;

function blank(id: number, kind: NodeKind, tag: string, parent: number, token: number): VNode {
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
      result ??= record();
      result[name] = value;
    }
  }
  return result ?? NO_ATTRIBUTES;
}
