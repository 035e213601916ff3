// What elements hold beyond their attributes: form values, scroll offsets, selection.

import type { DocumentVersion } from "../state/document-version.ts";
import {
  getInputType,
  isCheckable,
  isChecked,
  listOptions,
  getSelectedIndexes,
  getControlValue,
} from "../state/forms.ts";
import type { ModelNode } from "../state/node.ts";

/** Sets the value, the options and the checked state of a form control to those in `version`. */
export function paintControl(
  version: DocumentVersion,
  node: ModelNode,
  element: Element,
  real: (id: number) => Node | undefined,
): void {
  if (node.tag === "select") {
    const selected = new Set(getSelectedIndexes(version, node));
    listOptions(version, node).forEach((option, index) => {
      const target = real(option.id) as HTMLOptionElement | undefined;
      if (target && target.selected !== selected.has(index)) target.selected = selected.has(index);
    });
    if (selected.size === 0 && !(element as HTMLSelectElement).multiple)
      (element as HTMLSelectElement).selectedIndex = -1;
    return;
  }
  const control = element as HTMLInputElement;
  if (node.tag === "input") {
    if (control.indeterminate !== Boolean(node.state.indeterminate))
      control.indeterminate = Boolean(node.state.indeterminate);
    if (isCheckable(node)) {
      if (control.checked !== isChecked(node)) control.checked = isChecked(node);
      return;
    }
    if (getInputType(node) === "file") {
      paintFiles(control, getControlValue(version, node));
      return;
    }
  }
  const value = getControlValue(version, node);
  if (control.value !== value) control.value = value;
}

/** The states that stand as attributes of their own; css.py rewrites the pseudo-classes to them. */
const STATES =
  "user-invalid user-valid autofill undefined embedded failed open picker enabled disabled valid invalid".split(" ");

/**
 * Sets the player's attributes for an element's states, such as `data-pagereel-user-invalid`, in place of
 * pseudo-classes.
 */
export function paintElementStates(element: Element, states: readonly string[]): void {
  for (const name of STATES) element.toggleAttribute(`data-pagereel-${name}`, states.includes(name));
  const custom = states.flatMap((name) => /^state\((.+)\)$/.exec(name)?.[1] ?? []).join(" ");
  if (custom) element.setAttribute("data-pagereel-states", custom);
  else element.removeAttribute("data-pagereel-states");
}

/** Shows the names of the files that a field holds: empty files that are called so. */
function paintFiles(field: HTMLInputElement, names: string): void {
  const wanted = names === "" ? [] : names.split(", ");
  const now = [...(field.files ?? [])].map((file) => file.name);
  if (now.length === wanted.length && now.every((name, index) => name === wanted[index])) return;
  try {
    const transfer = new DataTransfer();
    for (const name of wanted) transfer.items.add(new File([], name));
    field.files = transfer.files;
  } catch {
    // A browser that makes no lists of files.
  }
}

/**
 * Scrolls an element, or for a document node its viewport, at once, whatever `scroll-behavior` says. Returns whether
 * the wanted position was reached; always true for an element without a box.
 *
 * @param anchor the element that must be `top` px below the upper edge afterwards, wherever the page is then scrolled
 */
export function paintScrollOffset(
  target: Node,
  [left, y, , top]: readonly [number, number, number, number],
  anchor: Element | undefined,
): boolean {
  const view = (target as Document).defaultView;
  const element = target as Element;
  const now = (): number => (view ? view.scrollY : element.scrollTop);
  const wanted = (): number => {
    if (!anchor?.getClientRects().length) return y;
    const edge = view ? 0 : element.getBoundingClientRect().top + element.clientTop;
    return now() + anchor.getBoundingClientRect().top - edge - top;
  };
  if (!view && !element.getClientRects().length) return true;
  const far = Math.max(Math.abs((view ? view.scrollX : element.scrollLeft) - left), Math.abs(now() - wanted()));
  if (far >= 0.5) (view ?? element).scrollTo({ left, top: wanted(), behavior: "instant" });
  return far < 1;
}
