// Where the pixels of an element are in its document's viewport, and whether they are to be seen there: what stands above it and below it.

export type ViewportBox = readonly [x: number, y: number, w: number, h: number];

/** The position of an element's pixels in the viewport, and what is above and behind them. */
export interface ElementPixels {
  /** The content box, in CSS px of the document's viewport. */
  readonly box: ViewportBox;
  /** The share of the points looked at on which something else lies. */
  readonly covered: number;
  /** The one colour that lies behind it; null where that is not known. */
  readonly behind: string | null;
}

/** Points looked at, as shares of each side. */
const POINTS = [0.02, 0.26, 0.5, 0.74, 0.98];
const REPLACED = /^(img|canvas|video|audio|iframe|object|embed|input|textarea|select|button|progress|meter)$/;
const CLEAR = /^(transparent|rgba\(.*, 0\))$/;

/** Whether an element itself puts something on the screen. */
function paints(element: Element, style: CSSStyleDeclaration): boolean {
  if (REPLACED.test(element.localName) || (element.localName !== "svg" && "ownerSVGElement" in element)) return true;
  if (!CLEAR.test(style.backgroundColor) || style.backgroundImage !== "none") return true;
  for (let child = element.firstChild; child; child = child.nextSibling)
    if (child.nodeType === 3 && (child as Text).data.trim() !== "") return true;
  return false;
}

/** Returns where an element's content is in the viewport, and what covers it; null if the element is invisible, rotated or scaled. */
export function findElementPixels(window: Window, element: HTMLElement): ElementPixels | null {
  const { document } = window;
  if (document.visibilityState !== "visible") return null;
  const outer = element.getBoundingClientRect();
  if (outer.width * outer.height === 0 || Math.abs(outer.width - element.offsetWidth) > 1) return null; // turned or scaled
  const style = window.getComputedStyle(element);
  if (style.visibility !== "visible" || style.opacity !== "1") return null;
  const edge = (side: string) =>
    Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) +
    Number.parseFloat(style.getPropertyValue(`padding-${side}`));
  const [left, top] = [edge("left"), edge("top")];
  const box: ViewportBox = [
    outer.x + left,
    outer.y + top,
    outer.width - left - edge("right"),
    outer.height - top - edge("bottom"),
  ];
  let covered = 0;
  let behind: string | null = "";
  const root = element.getRootNode() as Document | ShadowRoot;
  for (const across of POINTS) {
    for (const down of POINTS) {
      const stack = root.elementsFromPoint(box[0] + box[2] * across, box[1] + box[3] * down);
      const at = stack.indexOf(element);
      const above = at < 0 ? stack.filter((each) => !encloses(each, element)) : stack.slice(0, at);
      // Nothing is found out of the viewport.
      if (stack.length === 0 || above.some((each) => paints(each, window.getComputedStyle(each)))) covered++;
      const colour = at < 0 ? null : colourBelow(window, element, stack.slice(at + 1));
      behind = behind === "" || behind === colour ? colour : null;
    }
  }
  return { box, covered: covered / POINTS.length ** 2, behind };
}

function encloses(outer: Element, inner: Element): boolean {
  for (let node: Node | null = inner; node; node = (node as Partial<ShadowRoot>).host ?? node.parentNode)
    if (node === outer) return true;
  return false;
}

function colourBelow(window: Window, element: Element, stack: readonly Element[]): string | null {
  for (const each of stack) {
    const style = window.getComputedStyle(each);
    if (style.backgroundImage !== "none" || (paints(each, style) && !encloses(each, element))) return null;
    if (!CLEAR.test(style.backgroundColor)) return style.backgroundColor;
  }
  return "rgb(255, 255, 255)";
}
