// The real nodes that stand for the recorded ones of a document, and lists of those that need more than their place in the tree.

import { type DocumentVersion, EMPTY_VERSION } from "../state/document-version.ts";
import { CONTROL_ELEMENTS } from "../state/forms.ts";
import type { ModelNode } from "../state/node.ts";
import { trieGet } from "../state/trie.ts";
import type { FramingElement } from "./framed-documents.ts";
import type { FocusRingMarker } from "./pseudo-class-markers.ts";
import type { PaintingPass } from "./painting-pass.ts";
import { tryToPaint } from "./problems.ts";
import { SVG_ANIMATION_ELEMENTS } from "./allow-lists.ts";

/** The elements that show a document or a picture from another address. */
export const OBJECT_ELEMENTS = new Set(["object", "embed"]);
const FRAMES = new Set(["iframe", "frame", ...OBJECT_ELEMENTS]);
const MEDIA = new Set(["video", "audio"]);
/** The elements that own a style sheet, or affect all sheets of the document. */
export const STYLE_ELEMENTS = new Set(["style", "svg|style", "link", "meta"]);

export abstract class PaintedNodes {
  /** What the document shows, or is about to show. */
  current: DocumentVersion = EMPTY_VERSION;
  /** The painting under way, or the last one. */
  abstract painting: PaintingPass;
  readonly real = new Map<number, Node>();
  readonly idsByReal = new WeakMap<Node, number>();
  /** Elements and processing instructions that bring style sheets. */
  readonly owners = new Map<number, Node>();
  /** The document and its shadow roots. */
  readonly roots = new Map<number, Document | ShadowRoot>();
  readonly frames = new Map<number, FramingElement>();
  readonly media = new Map<number, HTMLMediaElement>();
  /** SVG's own animation elements. */
  readonly animators = new Set<number>();
  /** Slots that a script put nodes into, and drawings that one moved: their state holds where all stands in its place. */
  readonly lateNodes = new Set<number>();
  /** Controls whose value was masked where it was read. */
  readonly masked = new Set<number>();
  readonly scrolledNodes = new Set<number>();
  /** Nodes whose resources are still being read. */
  readonly unfinished = new Set<number>();
  /** Nodes that show a picture that moves. */
  readonly moving = new Set<number>();
  /** What could not be scrolled as far as it was, though all had come: texts that are masked take less room. By node, where and in what room. */
  readonly shortScrolls = new Map<number, string>();
  /** Whether it skips content that is out of sight. */
  skips = false;
  readonly #lists = [
    this.real,
    this.owners,
    this.roots,
    this.frames,
    this.media,
    this.animators,
    this.lateNodes,
    this.masked,
    this.scrolledNodes,
    this.unfinished,
    this.moving,
  ];

  constructor(readonly document: Document) {}

  /** Gives a real node what the recorded one says of it; `before` is what it showed until now. */
  abstract repaint(node: ModelNode, before?: ModelNode): void;

  /** The recorded node. */
  get(id: number): ModelNode | undefined {
    return trieGet(this.current.nodes, id);
  }

  /** Does something for each of these nodes that stands; what fails for one keeps none of the others from showing. */
  eachNode(ids: Iterable<number>, work: (node: ModelNode, real: Node) => void): void {
    for (const id of ids) {
      const node = this.get(id);
      const real = this.real.get(id);
      if (node && real) tryToPaint(node.tag, () => work(node, real));
    }
  }

  node(id: number): Node | undefined {
    return this.real.get(id);
  }

  idOf(node: Node): number | undefined {
    return this.idsByReal.get(node);
  }

  addNode(node: ModelNode, real: Node): void {
    const { id, tag, kind } = node;
    this.real.set(id, real);
    this.idsByReal.set(real, id);
    if (kind === "pi" && this.get(node.parent)?.kind === "document") this.owners.set(id, real);
    if (kind !== "element") return;
    if (STYLE_ELEMENTS.has(tag)) this.owners.set(id, real);
    if (FRAMES.has(tag)) this.frames.set(id, real as FramingElement);
    if (SVG_ANIMATION_ELEMENTS.has(tag)) this.animators.add(id);
    if (MEDIA.has(tag)) this.media.set(id, real as HTMLMediaElement);
  }

  /** Takes a node from all lists. Whether a style sheet may have gone with it. */
  forget(id: number): boolean {
    const styles = this.owners.has(id) || this.roots.has(id);
    for (const list of this.#lists) list.delete(id);
    return styles;
  }

  clear(): void {
    for (const list of this.#lists) list.clear();
    this.shortScrolls.clear();
  }

  /** A control shows what its options or their text say: notes the one that a node belongs to. */
  noteControl(node: ModelNode): void {
    let at: ModelNode | undefined = node;
    for (let depth = 0; at && depth < 4; depth++) {
      if (CONTROL_ELEMENTS.has(at.tag)) {
        this.painting.touchedControls.add(at.id);
        return;
      }
      if (at.kind === "element" && at.tag !== "option" && at.tag !== "optgroup" && at !== node) return;
      at = this.get(at.parent);
    }
  }

  /** The elements in whose shadow trees a node is. */
  *hosts(id: number): Generator<Element> {
    for (let node = this.get(id); node; node = this.get(node.parent)) {
      const host = node.kind === "shadow" && this.real.get(node.parent);
      if (host) yield host as Element;
    }
  }

  /** Of the trees whose style sheets reach an element, the innermost: what is said there gives way to what any other says. */
  ring(id: number): FocusRingMarker {
    const node = this.get(id);
    const hosts = (of: ModelNode | undefined): boolean => this.roots.has(of?.inner ?? 0);
    return hosts(node) ? "ring-host" : hosts(this.get(node?.parent ?? 0)) ? "ring-slot" : "ring";
  }
}
