// What of the texts is highlighted, as `::highlight()` shows it.

import type { DocumentVersion } from "../state/document-version.ts";

/**
 * Sets the document's custom highlights (`CSS.highlights`) anew, because ranges are lost when their nodes are moved.
 */
export function paintHighlights(
  document: Document,
  highlights: DocumentVersion["highlights"],
  real: (id: number) => Node | undefined,
): void {
  const { CSS, Highlight } = document.defaultView as Window & typeof globalThis;
  if (!Highlight) return;
  CSS.highlights.clear();
  for (const [name, [priority, ranges]] of highlights) {
    const highlight = new Highlight();
    highlight.priority = priority;
    for (let at = 0; at < ranges.length; at += 4) {
      const [start = 0, from = 0, end = 0, to = 0] = ranges.slice(at, at + 4);
      const range = document.createRange();
      const [first, last] = [real(start), real(end)];
      if (!first || !last) continue;
      range.setStart(first, clampOffset(first, from));
      range.setEnd(last, clampOffset(last, to));
      highlight.add(range);
    }
    CSS.highlights.set(name, highlight);
  }
}

/** Returns `offset`, but at most the largest offset that the node has. */
export function clampOffset(node: Node, offset: number): number {
  return Math.min(offset, (node as Text).length ?? node.childNodes.length);
}
