// The attributes that stand for pseudo-classes (see player_build/css.py).

/** `ring`, `ring-host` and `ring-slot` are one, by where the rule for it stands: see helper.css.j2. */
export type FocusRingMarker = "ring" | "ring-host" | "ring-slot";
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

export function addMarker(
  wanted: Map<Element, Set<PseudoClassMarker>>,
  element: Element,
  name: PseudoClassMarker,
): void {
  const names = wanted.get(element);
  if (names) names.add(name);
  else wanted.set(element, new Set([name]));
}

/** The element and those around it as events see them: through slots and shadow roots up to the document. */
export function* around(element: Element): Generator<Element> {
  let node: Element | null = element;
  while (node) {
    yield node;
    node = node.assignedSlot ?? node.parentElement ?? hostOf(node);
  }
}

/** Those that are hovered or pressed along with an element: the ones around it, and what labels among them are for. */
export function* touched(element: Element): Generator<Element> {
  for (const each of around(element)) {
    yield each;
    const control = each.localName === "label" && (each as HTMLLabelElement).control;
    if (control) yield control;
  }
}

function hostOf(element: Element): Element | null {
  const root = element.parentNode;
  return root && "host" in root ? (root as ShadowRoot).host : null;
}

/** Whether focus on this element shows a ring even after a click: it takes text. */
export function acceptsText(element: Element): boolean {
  if (element.tagName === "TEXTAREA" || (element as HTMLElement).isContentEditable) return true;
  return (
    element.tagName === "INPUT" &&
    !/^(button|checkbox|color|file|image|radio|range|reset|submit)$/i.test((element as HTMLInputElement).type)
  );
}
