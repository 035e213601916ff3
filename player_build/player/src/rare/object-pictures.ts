// What an `<object>` showed: a picture, painted as what stands in place of its own content, or, where it has none and Chromium takes nothing in place of
// it, behind an object that nothing is loaded into; or a drawing, painted as a document. Either has a size of its own, which the object takes on.

import type { Resources } from "../decode/resources.ts";
import type { ModelNode } from "../state/node.ts";

const PICTURE = "data-pagereel-picture";
const SIZE = "data-pagereel-size";
const PERCENT = 2;

/** Shows the pictures of `<object>` elements, and gives each object the size of its picture or drawing. */
export class ObjectPictures {
  /** Pictures whose sizes are waited for. */
  readonly pictures = new Map<number, HTMLImageElement>();
  readonly #sizes = new Set<string>();

  constructor(
    private readonly document: Document,
    private readonly resources: Resources,
    private readonly layer: Pick<CSSGroupingRule, "insertRule">,
  ) {}

  /** Shows the picture of an object, or none. `get` gives a node by its id. False: it is being read. */
  paint(object: Element, { state, children }: ModelNode, get: (id: number) => ModelNode | undefined): boolean {
    const empty = !children.some((id) => isContent(get(id)));
    const number = Number(/^pagereel:(\d+)$/.exec(state.canvas?.[0] ?? "")?.[1] ?? -1);
    object.removeAttribute(PICTURE);
    if (number < 0 || !empty) object.removeAttribute(SIZE);
    if (number < 0) return true;
    const url = this.resources.url(number);
    if (url === undefined) return false;
    let image = this.pictures.get(number);
    if (!image) {
      image = this.document.createElement("img");
      image.src = url;
      this.pictures.set(number, image);
      this.layer.insertRule(`[${PICTURE}="${number}"] { --pagereel-box: url("${url}") }`);
    }
    const told = image;
    const size = (): void => this.#size(object, told.naturalWidth, told.naturalHeight);
    if (empty && told.naturalWidth) size();
    else if (empty) void told.decode().then(size, String);
    object.setAttribute(PICTURE, `${number}`);
    return true;
  }

  /** Takes on the size of the drawing that shows in an object. */
  fit(object: Element, root: Element | null): void {
    const { width, height, viewBox } = (root?.localName === "svg" ? root : {}) as Partial<SVGSVGElement>;
    const [w, h] = [width, height].map((side) => (side && side.baseVal.unitType !== PERCENT ? side.baseVal.value : 0));
    const box = viewBox?.baseVal;
    const ratio = box?.height ? box.width / box.height : 0;
    this.#size(object, w || (h as number) * ratio, h || (ratio && (w as number) / ratio));
  }

  #size(object: Element, width = 0, height = 0): void {
    const name = width * height > 0 ? `${width} ${height}` : "";
    if (!name) object.removeAttribute(SIZE);
    else if (object.getAttribute(SIZE) !== name) object.setAttribute(SIZE, name);
    if (!name || this.#sizes.has(name)) return;
    this.#sizes.add(name);
    this.layer.insertRule(
      `[${SIZE}="${name}"] { contain: size !important; contain-intrinsic-size: ${width}px ${height}px !important; aspect-ratio: ${width}/${height} }`,
    );
  }
}

/** Whether it is what an object shows in place of what it cannot load. */
function isContent(node: ModelNode | undefined): boolean {
  return node?.kind === "element" ? node.tag !== "param" : node?.kind === "text" && /\S/.test(node.data);
}
