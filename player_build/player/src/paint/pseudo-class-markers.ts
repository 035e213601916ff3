// The attributes that stand for pseudo-classes (see player_build/sheet_rewriting.py).

/**
 * The marker of an element with a focus ring. Its three forms differ only in where the rule that draws the ring is:
 * see helper.css.j2.
 */
export type FocusRingMarker = "ring" | "ring-host" | "ring-slot";
/** The name of an attribute of the player, without its prefix, that stands for a pseudo-class. */
export type PseudoClassMarker =
  | "hover"
  | "active"
  | "focus"
  | "focus-visible"
  | "focus-within"
  | "target"
  | "fullscreen"
  | "base"
  | "unfocused"
  | "unforced"
  | "composing"
  | "composed"
  | FocusRingMarker;

/** The markers that are set on a document's elements in place of pseudo-classes. */
export class PseudoClassMarkers {
  #marked = new Map<Element, Set<PseudoClassMarker>>();

  /** Makes exactly these markers stand, and touches only what differs. Whether anything did. */
  paint(wanted: Map<Element, Set<PseudoClassMarker>>): boolean {
    let changed = false;
    for (const [element, names] of this.#marked) {
      for (const name of names) {
        if (wanted.get(element)?.has(name)) continue;
        element.removeAttribute(`data-pagereel-${name}`);
        changed = true;
      }
    }
    for (const [element, names] of wanted) {
      for (const name of names) {
        if (element.hasAttribute(`data-pagereel-${name}`)) continue;
        element.setAttribute(`data-pagereel-${name}`, "");
        changed = true;
      }
    }
    this.#marked = wanted;
    return changed;
  }
}

/** Adds a marker to those that an element is to have. */
export function addMarker(
  wanted: Map<Element, Set<PseudoClassMarker>>,
  element: Element,
  name: PseudoClassMarker,
): void {
  const names = wanted.get(element);
  if (names) names.add(name);
  else wanted.set(element, new Set([name]));
}

/**
 * Yields an element and its ancestors in the order of event propagation: through slots and shadow roots up to the
 * document.
 */
export function* iterEventPath(element: Element): Generator<Element> {
  let node: Element | null = element;
  while (node) {
    yield node;
    node = node.assignedSlot ?? node.parentElement ?? hostOf(node);
  }
}

/**
 * Yields the elements that are hovered or pressed together with `element`: its ancestors, and the control of each
 * label among them.
 */
export function* iterHoveredElements(element: Element): Generator<Element> {
  for (const each of iterEventPath(element)) {
    yield each;
    const control = each.localName === "label" && (each as HTMLLabelElement).control;
    if (control) yield control;
  }
}

function hostOf(element: Element): Element | null {
  const root = element.parentNode;
  return root && "host" in root ? (root as ShadowRoot).host : null;
}

/** Returns whether an element takes text: then a browser shows its focus ring even after a click. */
export function acceptsText(element: Element): boolean {
  if (element.tagName === "TEXTAREA" || (element as HTMLElement).isContentEditable) return true;
  return (
    element.tagName === "INPUT" &&
    !/^(button|checkbox|color|file|image|radio|range|reset|submit)$/i.test((element as HTMLInputElement).type)
  );
}
