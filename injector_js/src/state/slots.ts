// Which nodes a slot shows that has them assigned by script (`attachShadow({ slotAssignment: "manual" })`, `slot.assign()`).

import type { Op } from "../encoding/ops.ts";
import type { StatePart } from "./part.ts";

/** Records the nodes that a script assigned to slots (`slot.assign()`). */
export class AssignedSlots implements StatePart {
  private readonly roots = new Set<ShadowRoot>();
  private readonly said = new Map<Element, string>();

  constructor(private readonly idOf: (node: Node) => number) {}

  meetRoot(root: ShadowRoot): void {
    if (root.slotAssignment === "manual") this.roots.add(root);
  }

  clear(): void {
    this.roots.clear();
    this.said.clear();
  }

  collect(ops: Op[]): void {
    for (const root of this.roots) {
      if (this.idOf(root) === 0) this.roots.delete(root);
      for (const slot of root.querySelectorAll("slot")) {
        const id = this.idOf(slot);
        const nodes = slot.assignedNodes().map(this.idOf).filter(Boolean);
        const key = `${id} ${nodes}`;
        if (id === 0 || key === (this.said.get(slot) ?? `${id} `)) continue;
        this.said.set(slot, key);
        ops.push(["assign", id, nodes]);
      }
    }
  }
}
