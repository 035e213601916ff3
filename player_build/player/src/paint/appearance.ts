// What a node shows once it stands: its attributes, its picture, its state, its text. Where it stands is the tree's (tree.ts).

import type { Resources } from "../decode/resources.ts";
import type { CanvasPictures } from "../rare/canvases-and-media.ts";
import type { ObjectPictures } from "../rare/object-pictures.ts";
import { loadScript } from "../script-loading.ts";
import { hasPictureSource, type ModelNode } from "../state/node.ts";
import { computePaintedAttributes, setAttributes } from "./attributes.ts";
import { paintElementStates } from "./controls.ts";
import { setObjectFramed, mayShowDocument } from "./framed-documents.ts";
import { getPaintedText } from "./nodes.ts";
import { OBJECT_ELEMENTS, type PaintedNodes, STYLE_ELEMENTS } from "./painted-nodes.ts";
import { ANIMATED_PICTURE_PATTERN, type ConstructedSheets } from "./sheets.ts";
import { paintStyleText, setCharacterData } from "./style-texts.ts";

/** A painted document: its nodes, and the resources, style sheets and pictures that decide how they look. */
export interface PaintedDocument extends PaintedNodes {
  readonly resources: Resources;
  readonly sheets: ConstructedSheets;
  readonly canvases: CanvasPictures | undefined;
  /** What its objects show. */
  readonly embedded: ObjectPictures | undefined;
}

/**
 * Updates the real node of `node` in all that differs from its earlier state `before`; without `before`, in
 * everything.
 */
export function paintNode(view: PaintedDocument, node: ModelNode, before?: ModelNode): void {
  const own = view.real.get(node.id);
  if (!own) return;
  if (node.kind === "element") {
    const { shown, drawing, exact } = node.state;
    if (
      !before ||
      before.attributes !== node.attributes ||
      before.state.shown !== shown ||
      before.state.drawing !== drawing ||
      before.state.exact !== exact
    )
      paintResources(view, node);
    if (before?.state !== node.state) paintState(view, own as Element, node, before);
    if (STYLE_ELEMENTS.has(node.tag) && before && before.attributes !== node.attributes)
      view.painting.sheetsTouched = true;
    view.noteControl(node);
  } else if (node.kind === "text" || node.kind === "comment" || node.kind === "cdata" || node.kind === "pi") {
    const parent = view.get(node.parent);
    if (view.owners.has(node.id)) view.painting.sheetsTouched = true;
    if (parent && STYLE_ELEMENTS.has(parent.tag)) view.painting.touchedStyles.add(parent.id);
    else setCharacterData(own as CharacterData, getPaintedText(node, parent));
    view.noteControl(node);
  }
}

/**
 * Sets the attributes and pictures of an element; if a resource is not read yet, the element is noted to be painted
 * again.
 */
export function paintResources(view: PaintedDocument, node: ModelNode): void {
  const element = view.real.get(node.id) as Element | undefined;
  if (!element || node.kind !== "element") return;
  const { attributes, whole } = computePaintedAttributes(node, view.resources, view.painting.preferences);
  if (Object.values(node.state.shown ?? {}).some((value) => value && ANIMATED_PICTURE_PATTERN.test(value)))
    view.moving.add(node.id);
  view.sheets.still?.(attributes.get("style") ?? "");
  setAttributes(element, attributes);
  if (node.state.emptied && !hasPictureSource(node)) {
    (element as HTMLImageElement).src = "";
    element.removeAttribute("src");
  }
  const drawn = paintPicture(view, node, element);
  if (whole && drawn) view.unfinished.delete(node.id);
  else view.unfinished.add(node.id);
}

/** Shows the picture that a canvas or an object has; false: it is being read. */
function paintPicture(view: PaintedDocument, node: ModelNode, element: Element): boolean {
  if (OBJECT_ELEMENTS.has(node.tag)) return view.embedded?.paint(element, node, (id) => view.get(id)) !== false;
  return node.tag !== "canvas" || view.canvases?.paint(element as HTMLCanvasElement, node) !== false;
}

function paintState(view: PaintedDocument, element: Element, node: ModelNode, before: ModelNode | undefined): void {
  const { id, state } = node;
  if (hasScrollOffset(node)) view.painting.roomLeft = Number.POSITIVE_INFINITY;
  if (state.scroll || state.selected !== before?.state.selected) view.scrolledNodes.add(id); // A list shows what is selected in it.
  if (state.masked === undefined) view.masked.delete(id);
  else view.masked.add(id);
  if (state.states !== before?.state.states) {
    paintElementStates(element, state.states ?? []);
    if (OBJECT_ELEMENTS.has(node.tag)) setObjectFramed(element, mayShowDocument(element));
  }
  if (state.canvas !== before?.state.canvas && !paintPicture(view, node, element)) view.unfinished.add(id);
  const { assigned, cues, drawing } = state;
  if (cues !== before?.state.cues) loadScript("rare").paintVideoCaptions?.(element as HTMLMediaElement, cues ?? []);
  if (assigned || drawing?.scale) view.lateNodes.add(id);
  if (state.media !== before?.state.media)
    loadScript("rare").paintMediaVolume?.(element as HTMLMediaElement, state.media);
}

/**
 * Sets the texts of the changed `<style>` elements, and disables each sheet at once, so that the browser loads
 * nothing that they name.
 */
export function paintStyleTexts(view: PaintedDocument): void {
  for (const id of view.painting.touchedStyles) {
    const style = view.get(id);
    if (!style) continue;
    view.painting.sheetsTouched = true;
    const children = style.children.flatMap((child) => view.get(child) ?? []);
    paintStyleText(view.real.get(id), children, (child) => view.real.get(child));
  }
}

/** Returns whether a node is scrolled: its recorded scroll offset is not 0. */
export function hasScrollOffset(node: ModelNode | undefined): boolean {
  const [x = 0, y = 0] = node?.state.scroll ?? [];
  return x !== 0 || y !== 0;
}
