// What was selected, in the page's text or in a field.

import { clampOffset } from "../rare/highlights.ts";
import type { SelectionState } from "../state/document-version.ts";

/**
 * Selects the text that was selected in the recorded page.
 *
 * @param before the input field in which text has been selected until now
 * @returns the input field in which text is selected now
 */
export function paintSelection(
  document: Document,
  [anchor, anchorOffset, focus, focusOffset]: SelectionState,
  real: (id: number) => Node | undefined,
  before: HTMLInputElement | undefined,
): HTMLInputElement | undefined {
  const selection = document.getSelection();
  const from = real(anchor);
  const to = real(focus);
  if (!selection) return before;
  // Within a field it shows only while the field has the focus.
  const field = from && "setSelectionRange" in from ? (from as HTMLInputElement) : undefined;
  if (before !== field) {
    before?.blur();
    field?.focus({ preventScroll: true });
  }
  try {
    if (field) field.setSelectionRange(anchorOffset, focusOffset);
    else if (from && to)
      selection.setBaseAndExtent(from, clampOffset(from, anchorOffset), to, clampOffset(to, focusOffset));
    else selection.removeAllRanges();
  } catch {
    // Within a shadow root some browsers refuse.
  }
  return field;
}
