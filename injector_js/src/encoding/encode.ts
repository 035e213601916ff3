// A live subtree as a tree of the format, and at the same time into the mirror: the ids that the tree implies are given here.
//
// How to use it:
//   1. make one Encoder a document;
//   2. `tree(node, parentId)` encodes a node that the recording does not know, with all below it, and gives ids in pre-order;
//   3. what lies deeper than LIMITS.depth, or comes after the budget has run out, is handed to `later` and not encoded: the caller
//      treats it as inserted in its next slice, and reads it as it is then;
//   4. a node below that is known already was moved here: it becomes its id, and the caller is told (`moved`).

import { LIMITS, MASK } from "../config.ts";
import {
  attributes,
  CDATA,
  COMMENT,
  DOCTYPE,
  data,
  ELEMENT,
  firstChild,
  getAttribute,
  isHTML,
  nextSibling,
  nodeType,
  PI,
  shadowRoot,
  TEXT,
  tagOf,
  templateContent,
} from "../dom.ts";
import type { Mirror } from "../mirror.ts";
import { hidesChildren, keepsAttribute, type Masks } from "../policy.ts";
import { isControl } from "../state/controls.ts";
import { type Attributes, SPECIAL, type Tree, type TreeArray } from "./ops.ts";

/** What the encoder tells its owner about on the way. */
export interface EncodeEvents {
  /** An element was given an id. */
  element(element: Element, id: number): void;
  /** A shadow root or template content was given an id and must be observed from now on. */
  root(root: ShadowRoot | DocumentFragment, id: number): void;
  /** A node that the recording knew stands inside the new tree now. */
  moved(node: Node, id: number): void;
  /** This node was left out; its parent is known. */
  later(node: Node): void;
}

/** The attributes of an element as they are recorded. */
export function encodeAttributes(element: Element, masks: Masks): Attributes {
  const result: Attributes = {};
  const list = attributes(element);
  const count = list.length;
  if (count === 0 || isHTML(element, "script")) return result;
  for (let i = 0; i < count; i++) {
    const attribute = list[i] as Attr;
    const { name, value } = attribute;
    if (keepsAttribute(name, value)) result[name] = value;
  }
  if (result.value !== undefined && result.value !== "" && isControl(element) && masks.reason(element))
    result.value = MASK;
  return result;
}

/** One attribute as it is recorded; null when the element does not have it, or it is never recorded. */
export function encodeAttribute(element: Element, name: string, masks: Masks): string | null {
  const value = getAttribute(element, name);
  if (value === null || !keepsAttribute(name, value)) return null;
  return name === "value" && value !== "" && isControl(element) && masks.reason(element) ? MASK : value;
}

/** The data of a text or comment node as it is recorded. */
export function encodeData(node: CharacterData, masks: Masks): string {
  const text = data(node);
  return text.trim() !== "" && masks.coversText(node) ? MASK : text;
}

export function shadowOptions(root: ShadowRoot): Attributes {
  const options: Record<string, string | boolean> = { mode: root.mode };
  if (root.delegatesFocus) options.delegatesFocus = true;
  if (root.slotAssignment === "manual") options.slotAssignment = "manual";
  if (root.clonable) options.clonable = true;
  if (root.serializable) options.serializable = true;
  return options as Attributes;
}

export class Encoder {
  private deadline = Number.POSITIVE_INFINITY;
  private countdown = 0;
  private spent = false;

  constructor(
    private readonly mirror: Mirror,
    private readonly masks: Masks,
    private readonly events: EncodeEvents,
    private readonly now: () => number,
  ) {}

  /** Sets the moment after which only what must be encoded is; the rest is left for later. */
  budget(deadline: number): void {
    this.deadline = deadline;
    this.countdown = 128;
    this.spent = false;
  }

  get exhausted(): boolean {
    if (!this.spent && --this.countdown <= 0) {
      this.countdown = 128;
      this.spent = this.now() > this.deadline;
    }
    return this.spent;
  }

  /** Encodes an unknown node below the known node `parent`. */
  tree(node: Node, parent: number): Tree {
    return this.node(node, parent, 0);
  }

  /** Encodes the whole document, as for the op `doc`. */
  document(document: Document): Tree {
    const id = this.mirror.add(document, 0);
    const tree: TreeArray = [SPECIAL.document, {}];
    this.children(document, id, tree, 0);
    return tree;
  }

  /** Encodes a shadow root that appeared on a known host. */
  shadow(root: ShadowRoot, host: number): Tree {
    const id = this.mirror.add(root, host);
    this.events.root(root, id);
    const tree: TreeArray = [SPECIAL.shadow, shadowOptions(root)];
    this.children(root, id, tree, 0);
    return tree;
  }

  private node(node: Node, parent: number, depth: number): Tree {
    const id = this.mirror.add(node, parent);
    switch (nodeType(node)) {
      case ELEMENT:
        return this.element(node as Element, id, depth);
      case TEXT:
        return encodeData(node as Text, this.masks);
      case COMMENT:
        return [SPECIAL.comment, encodeData(node as Comment, this.masks)];
      case CDATA:
        return [SPECIAL.cdata, encodeData(node as CDATASection, this.masks)];
      case PI: {
        const pi = node as ProcessingInstruction;
        return [SPECIAL.pi, pi.target, data(pi)];
      }
      case DOCTYPE: {
        const type = node as DocumentType;
        return [SPECIAL.doctype, type.name, type.publicId, type.systemId];
      }
      default:
        return [SPECIAL.comment, ""];
    }
  }

  private element(element: Element, id: number, depth: number): Tree {
    const tree: TreeArray = [tagOf(element), encodeAttributes(element, this.masks)];
    this.events.element(element, id);
    if (hidesChildren(element)) return tree;
    if (isHTML(element, "template")) {
      const content = templateContent(element as HTMLTemplateElement);
      const contentId = this.mirror.add(content, id);
      this.events.root(content, contentId);
      const inner: TreeArray = [SPECIAL.content, {}];
      this.children(content, contentId, inner, depth + 1);
      tree.push(inner);
    }
    const root = shadowRoot(element);
    if (root) {
      const rootId = this.mirror.add(root, id);
      this.events.root(root, rootId);
      const inner: TreeArray = [SPECIAL.shadow, shadowOptions(root)];
      this.children(root, rootId, inner, depth + 1);
      tree.push(inner);
    }
    this.children(element, id, tree, depth);
    return tree;
  }

  private children(parent: Node, id: number, into: TreeArray, depth: number): void {
    let child = firstChild(parent);
    if (child === null) return;
    const deep = depth >= LIMITS.depth;
    for (; child; child = nextSibling(child)) {
      if (deep || this.exhausted) {
        this.events.later(child);
        continue;
      }
      const known = this.mirror.idOf(child);
      if (known !== 0) {
        this.mirror.move(known, id);
        this.events.moved(child, known);
        into.push(known);
      } else {
        into.push(this.node(child, id, depth + 1));
      }
    }
  }
}
