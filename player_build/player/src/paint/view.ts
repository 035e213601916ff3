// Paints the versions of one recorded document onto one real document, touching only what differs.

import type { Resources } from "../decode/resources.ts";
import { DEFAULT_MEDIA_PREFERENCES, type MediaPreferences } from "../history/document-log.ts";
import type { AnimationPainter } from "../motion/animation-painter.ts";
import type { ObjectPictures } from "../rare/object-pictures.ts";
import type { TopLayer } from "../rare/top-layer.ts";
import type { CanvasPictures } from "../rare/canvases-and-media.ts";
import { loadScript } from "../script-loading.ts";
import { type DocumentVersion, EMPTY_VERSION } from "../state/document-version.ts";
import { MIN_LARGE_PAGE_NODES, MAX_PREVIEW_NODES } from "../state/page-preview.ts";
import type { ModelNode } from "../state/node.ts";
import { trieDiff, trieGet, trieHasAtLeast } from "../state/trie.ts";
import { hasScrollOffset, paintNode, paintResources, paintStyleTexts } from "./appearance.ts";
import { paintSlotsAndDrawings } from "./slots-and-drawings.ts";
import { paintControl } from "./controls.ts";
import { PaintedNodes } from "./painted-nodes.ts";
import { PaintingPass } from "./painting-pass.ts";
import type { PlayedDocument } from "./playback.ts";
import { tryToPaint } from "./problems.ts";
import { paintSelection } from "./selection.ts";
import { ConstructedSheets } from "./sheets.ts";
import { rebuildTree, removeRealNodes, canReuseElement, paintChildren } from "./tree.ts";

/** A document of the recording as real nodes in an iframe: paints any version of it. */
export class DocumentView extends PaintedNodes implements PlayedDocument {
  readonly sheets: ConstructedSheets;
  readonly canvases: CanvasPictures | undefined;
  readonly embedded: ObjectPictures | undefined;
  readonly motion: AnimationPainter | undefined;
  again: ReturnType<typeof setTimeout> | undefined;
  shownFrames = 0;
  painting = new PaintingPass(DEFAULT_MEDIA_PREFERENCES);
  /** The field in which text is selected. */
  field: HTMLInputElement | undefined;
  readonly layer: TopLayer | undefined;
  #sheetsStale = false;

  constructor(
    document: Document,
    readonly resources: Resources,
  ) {
    super(document);
    this.sheets = new ConstructedSheets(document, resources);
    const { CanvasPictures, ObjectPictures, TopLayer } = loadScript("rare");
    const { AnimationPainter } = loadScript("motion");
    this.canvases = CanvasPictures && new CanvasPictures(document, resources, this.sheets.layer);
    this.embedded = ObjectPictures && new ObjectPictures(document, resources, this.sheets.layer);
    this.layer = TopLayer && new TopLayer();
    this.motion = AnimationPainter && new AnimationPainter();
    // Empty it is painted too, so that a document looks the same before its first message whichever way one came there.
    rebuildTree(this);
    this.paintSheets();
  }

  get whole(): boolean {
    return this.unfinished.size === 0 && !this.#sheetsStale;
  }

  /** Whether a first look stands, and the rest of the page is to be painted. */
  get isLook(): boolean {
    return this.painting.unbuilt.size > 0 || this.current.isLook === true;
  }

  /** The pictures that give their place a size. */
  *pictures(): Generator<HTMLImageElement> {
    yield* this.embedded?.pictures.values() ?? [];
    for (const root of this.roots.values())
      for (const image of root.querySelectorAll("img")) if (image.src || image.srcset) yield image;
  }

  /**
   * Makes the document show `version`; with `look`, where nothing stood before and nothing is scrolled, what is in sight of it.
   *
   * The order is this one, for each part needs what those before it have made: nodes in their places, what each shows, style sheets, controls, and
   * what names other nodes.
   */
  paint(version: DocumentVersion, preferences: MediaPreferences, look = false): void {
    const before = this.current;
    const last = this.painting;
    const anew = last.preferences !== preferences;
    if (before === version && !anew && this.whole && !this.isLook) return;
    this.current = version;
    const inPart =
      look &&
      before === EMPTY_VERSION &&
      trieHasAtLeast(version.nodes, MIN_LARGE_PAGE_NODES) &&
      !hasScrollOffset(this.get(version.root));
    const painting = new PaintingPass(preferences, inPart ? MAX_PREVIEW_NODES : undefined);
    this.painting = painting;
    painting.sheetsTouched =
      anew || before.sheets !== version.sheets || before.adopted !== version.adopted || this.#sheetsStale;
    if (anew) paintSchemes(this);
    const changed = paintTree(this, before, last.unbuilt);
    for (const node of changed) tryToPaint(node.tag, () => this.repaint(node, trieGet(before.nodes, node.id)));
    this.eachNode([...this.unfinished], (node) => paintResources(this, node));
    tryToPaint("styles", () => paintStyleTexts(this));
    if (painting.sheetsTouched) this.paintSheets();
    paintControls(this);
    paintReferences(this, before);
  }

  repaint(node: ModelNode, before?: ModelNode): void {
    paintNode(this, node, before);
  }

  paintSheets(): void {
    this.#sheetsStale = !this.sheets.paint(this.current, this.owners, this.roots, this.painting.preferences);
  }
}

/** Paints anew what says itself for which colour scheme it is. */
function paintSchemes(view: DocumentView): void {
  view.eachNode(view.real.keys(), (node) => {
    if (/color-scheme/i.test(node.attributes?.style ?? "")) paintResources(view, node);
  });
}

/** Gives the document the nodes of the version, each in its place. Returns those that stood before and have changed. */
function paintTree(view: DocumentView, before: DocumentVersion, rest: Iterable<number>): ModelNode[] {
  const { nodes, root } = view.current;
  const changed: ModelNode[] = [];
  const gone: number[] = [];
  let moved = before.nodes === EMPTY_VERSION.nodes; // Then all is new.
  if (!moved)
    trieDiff(before.nodes, nodes, (id, old, now) => {
      if (!now) gone.push(id);
      else if (old && !canReuseElement(old, now)) gone.push(id);
      else if (old) changed.push(now);
      if (old?.children !== now?.children) moved = true;
    });
  if (before.root !== root || (moved && !view.real.has(root))) rebuildTree(view);
  const rebuilt = removeRealNodes(view, gone);
  for (const node of changed) tryToPaint(node.tag, () => paintChildren(view, node, true));
  view.eachNode([...rebuilt, ...rest], (node) => paintChildren(view, node));
  // What a document has further down than the engine's stack would bear.
  const waiting = view.painting.deep;
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const parent = node;
    tryToPaint(node.tag, () => paintChildren(view, parent));
  }
  return changed;
}

function paintControls(view: DocumentView): void {
  view.eachNode(view.painting.touchedControls, (node, element) => {
    paintControl(view.current, node, element as Element, (of) => view.real.get(of));
    const { typed } = node.state;
    const field = element as HTMLInputElement;
    if (typed || field.hasAttribute("data-pagereel-typed"))
      loadScript("rare").paintTypedField?.(field, typed ?? [], view.sheets.layer);
  });
}

/** Paints what names other nodes, which all stand now: assigned slots, highlights, the top layer, the selection. */
function paintReferences(view: DocumentView, before: DocumentVersion): void {
  const version = view.current;
  const real = (id: number): Node | undefined => view.node(id);
  view.eachNode(view.lateNodes, ({ state }, element) => paintSlotsAndDrawings(element, state, real));
  if (version.highlights.size + before.highlights.size)
    tryToPaint("highlights", () => loadScript("rare").paintHighlights?.(view.document, version.highlights, real));
  tryToPaint("top layer", () => view.layer?.paint(version.layer, (id) => real(id) as Element | undefined));
  // Also where it is the same: moving its nodes about has lost it.
  if (before.selection !== version.selection || version.selection[0])
    tryToPaint("selection", () => {
      view.field = paintSelection(view.document, version.selection, real, view.field);
    });
}
