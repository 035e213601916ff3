// A live subtree as a tree of the format, and at the same time into the mirror: the ids that the tree implies are given here.
//
// How to use it:
//   1. make one Encoder a document;
//   2. `tree(node, parentId)` encodes a node that the recording does not know, with all below it, and gives ids in pre-order;
//   3. what lies deeper than LIMITS.depth, or comes after the budget has run out, is not encoded: the caller is told which parent is left
//      `open`, and encodes the rest of its children in its next slice, as they are then;
//   4. a node below that is known already was moved here: it becomes its id, and the caller is told (`moved`).

import { LIMITS, MASK_TEXT, ROUNDED_NUMBER } from "../config.ts";
import {
  attributeNames,
  elementAttributes,
  CDATA_NODE,
  COMMENT_NODE,
  DOCTYPE_NODE,
  getCharacterData,
  documentElement,
  ELEMENT_NODE,
  firstChild,
  getAttribute,
  hasAttributes,
  isHtmlElementNamed,
  nextSibling,
  nodeType,
  PROCESSING_INSTRUCTION_NODE,
  shadowRoot,
  TEXT_NODE,
  templateContent,
} from "../dom.ts";
import type { ModelMirror } from "../mirror.ts";
import { findAttributeReplacement, isRecordedAttribute, type MaskedFields } from "../policy.ts";
import { isFormControl } from "../state/controls.ts";
import type { StartTagTable, StartTagStep } from "./start-tags.ts";
import { type ElementKind, ElementKindTable } from "./kinds.ts";
import { type Attributes, setOwnProperty, SPECIAL_NODE_NAMES, type Tree, type TreeArray } from "./ops.ts";
import { SubtreeTexts } from "./subtree-texts.ts";

/** The callbacks by which {@link TreeEncoder} reports the nodes that it meets. */
export interface EncodeListener {
  /** An element was given an id that a tracker may have to follow. */
  element(element: Element, id: number): void;
  /** An SVG element was given an id. */
  drawn(element: Element): void;
  /** A shadow root or template content was given an id and must be observed from now on. */
  root(root: ShadowRoot | DocumentFragment, id: number): void;
  /** A node that the recording knew stands inside the new tree now. */
  moved(node: Node): void;
  /** Of this node's children, those without an id were left out. */
  open(parent: Node): void;
  /** Whether nodes that the recording knows may stand inside a new tree. */
  mixed(): boolean;
}

/** What an element without attributes has. One object for all: most elements of a large page have none. */
const NONE: Attributes = Object.freeze({});

/** The value of an attribute by its name as written. An HTML element's own look-up takes names in lower case only. */
function attributeValue(element: Element, name: string): string | null {
  const value = getAttribute(element, name);
  if (value !== null || name === name.toLowerCase()) return value;
  const list = elementAttributes(element);
  for (let i = 0; i < list.length; i++) if (list[i]?.name === name) return (list[i] as Attr).value;
  return null;
}

/** What is kept of an attribute with this value; null when it is never recorded. */
function keptOf(element: Element, name: string, value: string): string | null {
  return isRecordedAttribute(name, value) ? value : findAttributeReplacement(element, name);
}

/** An attribute by its name as written, as it is kept; null when the element does not have it, or it is never recorded. */
function keptValue(element: Element, name: string): string | null {
  const value = attributeValue(element, name);
  return value === null ? null : keptOf(element, name, value);
}

/**
 * Returns the attributes of an element with the local name `name`, in the form in which they are recorded. It reads the attributes' names
 * and not their nodes, because the browser would have to create those.
 */
export function encodeAttributes(element: Element, name: string, masks: MaskedFields): Attributes {
  if (!hasAttributes(element) || (name === "script" && isHtmlElementNamed(element, name))) return NONE;
  return attributesOf(element, attributeNames(element), masks);
}

function attributesOf(element: Element, names: readonly string[], masks: MaskedFields): Attributes {
  const result: Attributes = {};
  for (let i = 0; i < names.length; i++) {
    const key = names[i] as string;
    const kept = keptValue(element, key);
    if (kept !== null) setOwnProperty(result, key, kept);
  }
  if (result.value !== undefined && result.value !== "" && isFormControl(element) && masks.reason(element))
    result.value = MASK_TEXT;
  return result;
}

/** Returns the value of one attribute in the form in which it is recorded; null if the element lacks it or it is never recorded. */
export function encodeAttribute(element: Element, name: string, masks: MaskedFields): string | null {
  const value = keptValue(element, name);
  return name === "value" && value && isFormControl(element) && masks.reason(element) ? MASK_TEXT : value;
}

/** Returns the data of a text or comment node in the form in which it is recorded: shortened, or masked. */
export function encodeCharacterData(node: CharacterData, masks: MaskedFields): string {
  const text = getCharacterData(node).slice(0, LIMITS.text);
  return masks.any && text.trim() !== "" && masks.coversText(node) ? MASK_TEXT : text;
}

function shadowOptions(root: ShadowRoot): Attributes {
  const options: Record<string, string | boolean> = { mode: root.mode };
  if (root.delegatesFocus) options.delegatesFocus = true;
  if (root.slotAssignment === "manual") options.slotAssignment = "manual";
  if (root.clonable) options.clonable = true;
  if (root.serializable) options.serializable = true;
  return options as Attributes;
}

/** A node without children. The number of a known head stands for tag and attributes, on the way to the recorder. */
const leaf = (tag: string, head: Attributes | number): TreeArray =>
  (typeof head === "number" ? [head] : [tag, head]) as unknown as TreeArray;

/** Encodes live subtrees as trees of the reel format, and gives their nodes ids. */
export class TreeEncoder {
  private deadline = Number.POSITIVE_INFINITY;
  private countdown = 0;
  private spent = false;
  /** Children of the elements that are being encoded, so that each array is made once and at its own length. */
  private readonly stack: Tree[] = [];
  private top = 0;
  /** Whether one of the attributes of the element that is being encoded is `popover`. */
  private popover = false;
  /** Whether its style has numbers that may have lost digits: state/exact-numbers.ts. */
  private rounded = false;
  /** Whether nodes of the tree that is being encoded may be known. */
  private mixed = false;
  /** Its texts; null where each is asked for by itself: known nodes' texts are left out, and masked ones not read. */
  private texts: SubtreeTexts | null = null;
  readonly kinds = new ElementKindTable();

  constructor(
    private readonly mirror: ModelMirror,
    private readonly masks: MaskedFields,
    private readonly events: EncodeListener,
    private readonly now: () => number,
    /** Heads that the recorder knows; null where it takes none. */
    private readonly heads: StartTagTable | null,
  ) {}

  /** Sets the moment after which only what must be encoded is; the rest is left for later. */
  budget(deadline: number): void {
    this.deadline = deadline;
    this.countdown = LIMITS.steps;
    this.spent = false;
  }

  get exhausted(): boolean {
    if (!this.spent && --this.countdown <= 0) {
      this.spent = this.now() > this.deadline;
      this.countdown = this.spent ? 0 : LIMITS.steps;
    }
    return this.spent;
  }

  /** Encodes an unknown node below the known node `parent`, before the child `before` of it (0: at the end). */
  tree(node: Node, parent: number, before: number): Tree {
    this.begin(node);
    return this.node(node, this.mirror.add(node, parent, before), 0);
  }

  /** Encodes the whole document, as for the op `doc`. */
  document(document: Document): Tree {
    this.begin(documentElement(document));
    return this.withChildren(SPECIAL_NODE_NAMES.document, {}, document, this.mirror.add(document, 0), 0, null);
  }

  /** Encodes a shadow root that appeared on a known host. */
  shadow(root: ShadowRoot, host: number): Tree {
    this.begin(root);
    return this.root(root, host, 0);
  }

  private begin(top: Node | null): void {
    this.mixed = this.events.mixed();
    this.texts = top === null || this.mixed || this.masks.any ? null : new SubtreeTexts(top);
  }

  private root(root: ShadowRoot, host: number, depth: number): Tree {
    const id = this.mirror.addInner(root, host);
    this.events.root(root, id);
    return this.inner(SPECIAL_NODE_NAMES.shadow, shadowOptions(root), root, id, depth);
  }

  /** The tree of a node that stands beside its host's children: its texts are not among theirs. */
  private inner(tag: string, options: Attributes, top: Node, id: number, depth: number): Tree {
    const outer = this.texts;
    this.texts = outer && new SubtreeTexts(top);
    const tree = this.withChildren(tag, options, top, id, depth, null);
    this.texts = outer;
    return tree;
  }

  private node(node: Node, id: number, depth: number): Tree {
    switch (nodeType(node)) {
      case ELEMENT_NODE:
        return this.element(node as Element, id, depth);
      case TEXT_NODE:
        return this.texts?.next(node as Text) ?? encodeCharacterData(node as Text, this.masks);
      case COMMENT_NODE:
        return [SPECIAL_NODE_NAMES.comment, encodeCharacterData(node as Comment, this.masks)];
      case CDATA_NODE:
        return [
          SPECIAL_NODE_NAMES.cdata,
          this.texts?.next(node as CDATASection) ?? encodeCharacterData(node as CDATASection, this.masks),
        ];
      case PROCESSING_INSTRUCTION_NODE: {
        const pi = node as ProcessingInstruction;
        return [SPECIAL_NODE_NAMES.pi, pi.target, getCharacterData(pi)];
      }
      case DOCTYPE_NODE: {
        const type = node as DocumentType;
        return [SPECIAL_NODE_NAMES.doctype, type.name, type.publicId, type.systemId];
      }
      default:
        return [SPECIAL_NODE_NAMES.comment, ""];
    }
  }

  /** The number of an element's tag and attributes where the recorder knows them or is going to, else the attributes. */
  private head(element: Element, kind: ElementKind): number | Attributes {
    const { heads } = this;
    if (heads === null || kind.plain) return this.written(encodeAttributes(element, kind.name, this.masks));
    let at: StartTagStep = heads.begin(kind);
    const names = attributeNames(element);
    for (let i = 0; i < names.length; i++) {
      const key = names[i] as string;
      const branch = at.first !== null && at.first.key === key ? at.first : heads.branch(at, key);
      // Null is what is written with a capital letter: this look-up does not find it in an HTML element.
      const value = branch.tally.poor ? null : getAttribute(element, key);
      let after: StartTagStep | null | undefined = value === null ? null : branch.values.get(value);
      if (key === "style" && value !== null && ROUNDED_NUMBER.test(value)) this.rounded = true;
      if (after === undefined) after = heads.learn(at, branch, value as string, keptOf(element, key, value as string));
      else if (after !== null) branch.tally.hits++;
      if (after === null) return this.written(attributesOf(element, names, this.masks));
      at = after;
    }
    this.popover = at.popover;
    return at.head !== -1 ? at.head : heads.name(at, kind.tag, attributesOf(element, names, this.masks));
  }

  /** The attributes themselves. */
  private written(attributes: Attributes): Attributes {
    this.popover = attributes.popover !== undefined;
    if (attributes.style !== undefined && ROUNDED_NUMBER.test(attributes.style)) this.rounded = true;
    return attributes;
  }

  private element(element: Element, id: number, depth: number): Tree {
    const kind = this.kinds.of(element);
    this.rounded = false;
    const head = this.head(element, kind);
    if (kind.followed || this.popover || this.rounded) this.events.element(element, id);
    if (kind.drawn) this.events.drawn(element);
    if (kind.hides) {
      this.texts?.skip(element);
      return leaf(kind.tag, head);
    }
    let inner: Tree | null = null;
    if (kind.hosts) {
      const root = shadowRoot(element);
      if (root) inner = this.root(root, id, depth + 1);
    } else if (kind.template) {
      const content = templateContent(element as HTMLTemplateElement);
      const contentId = this.mirror.addInner(content, id);
      this.events.root(content, contentId);
      inner = this.inner(SPECIAL_NODE_NAMES.content, {}, content, contentId, depth + 1);
    }
    return this.withChildren(kind.tag, head, element, id, depth, inner);
  }

  /** The array of a node and its children. A node that is known was moved here; one that is not may have to wait for its turn. */
  private withChildren(
    tag: string,
    head: Attributes | number,
    parent: Node,
    id: number,
    depth: number,
    inner: Tree | null,
  ): TreeArray {
    let child = firstChild(parent);
    if (child === null) {
      const tree = leaf(tag, head);
      if (inner !== null) tree.push(inner);
      return tree;
    }
    const { mirror, stack, mixed } = this;
    const from = this.top;
    if (typeof head === "object") stack[this.top++] = tag;
    stack[this.top++] = head as unknown as Tree;
    if (inner !== null) stack[this.top++] = inner;
    const deep = depth >= LIMITS.depth;
    if (deep) this.texts?.skip(parent);
    let left = false;
    for (; child !== null; child = nextSibling(child)) {
      const old = mixed ? mirror.idOf(child) : 0;
      if (old !== 0) {
        mirror.move(old, id);
        this.events.moved(child);
        stack[this.top++] = old;
      } else if (deep || (--this.countdown <= 0 && this.exhausted)) {
        left = true;
        break;
      } else {
        const tree = this.node(child, mirror.add(child, id), depth + 1);
        stack[this.top++] = tree;
      }
    }
    if (left) this.events.open(parent);
    const tree = stack.slice(from, this.top) as unknown as TreeArray;
    this.top = from;
    if (from === 0) stack.length = 0;
    return tree;
  }
}
