// What of a page's text is highlighted (`CSS.highlights`): ranges under a name, which style sheets show by `::highlight()`. No event tells of them.

import { nodeType, TEXT_NODE } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { MaskedFields } from "../policy.ts";
import { PollThrottle } from "./throttle.ts";
import type { StatePart } from "./part.ts";

/** Ranges of one highlight that are told. */
const MOST = 500;

export class TextHighlights implements StatePart {
  private readonly said = new Map<string, string>();
  private readonly looks: PollThrottle;

  constructor(
    private readonly idOf: (node: Node) => number,
    private readonly masks: MaskedFields,
    private readonly now: () => number,
  ) {
    this.looks = new PollThrottle(now);
  }

  clear(): void {
    this.said.clear();
  }

  collect(ops: Op[]): void {
    if (this.looks.since >= this.looks.wait) this.poll(ops);
  }

  poll(ops: Op[]): void {
    const { highlights } = globalThis.CSS ?? {};
    if (!highlights || highlights.size + this.said.size === 0) return;
    const began = this.now();
    for (const name of new Set([...highlights.keys(), ...this.said.keys()])) {
      const highlight = highlights.get(name);
      const ranges = [];
      for (const { startContainer, startOffset, endContainer, endOffset } of highlight ?? []) {
        if (ranges.length >= 4 * MOST) break;
        const [start, end] = [this.place(startContainer), this.place(endContainer)];
        if (start && end) ranges.push(start, startOffset, end, endOffset);
      }
      const op: Op = ["highlight", name, highlight?.priority ?? 0, ranges];
      const key = highlight ? `${op}` : "";
      if (key === (this.said.get(name) ?? "")) continue;
      if (highlight) this.said.set(name, key);
      else this.said.delete(name);
      ops.push(op);
    }
    this.looks.took(began);
  }

  /** 0 for a text that is not told: nor is what stands where in it. */
  private place(node: Node): number {
    return this.masks.any && nodeType(node) === TEXT_NODE && this.masks.coversText(node as Text) ? 0 : this.idOf(node);
  }
}
