// States that only pseudo-classes tell: whether a person has seen a field as invalid, whether the browser filled it in, whether its list is open,
// whether a custom element is defined, and the custom states of its `ElementInternals`. No event tells of them; they are asked for with each pulse.

import { activeElement, adoptedSheets, closest, documentStyleSheets, knows, localName, matches } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import { isControl } from "./controls.ts";
import type { StateTracker } from "./tracker.ts";

/** Elements asked in one pulse. */
const LIMIT = 1500;
/** Custom states that are looked for. */
const NAMES = 24;
const STATE = /:state\(\s*([\w-]+)\s*\)/g;

const custom = knows(":state(x)");
const ofControls = ["user-invalid", "user-valid", "autofill", "open"].map((name) => ({ name, known: knows(`:${name}`) }));

export class States implements StateTracker {
  private readonly controls = new Map<number, Element>();
  private readonly custom = new Map<number, Element>();
  private readonly said = new Map<number, string>();
  private readonly names = new Set<string>();
  private readonly read = new WeakMap<CSSStyleSheet, number>();

  constructor(
    private readonly document: Document,
    private readonly idOf: (node: Node) => number,
    private readonly roots: () => Iterable<ShadowRoot>,
  ) {}

  meet(element: Element, id: number): void {
    if (isControl(element)) this.controls.set(id, element);
    else if (localName(element).includes("-")) this.custom.set(id, element);
  }

  forget(id: number): void {
    this.controls.delete(id);
    this.custom.delete(id);
    this.said.delete(id);
  }

  clear(): void {
    this.controls.clear();
    this.custom.clear();
    this.said.clear();
  }

  /** A list that opens or closes shows at once: it is of the control that has the focus, or of the one that had it. */
  collect(ops: Op[]): void {
    const active = activeElement(this.document);
    for (const element of new Set([this.active, active && closest(active, "select")])) {
      const id = element && this.idOf(element);
      if (id && this.controls.has(id)) this.ofControl(id, element, ops);
      this.active = element;
    }
  }

  private active: Element | null = null;

  private ofControl(id: number, element: Element, ops: Op[]): void {
    const names = [];
    for (const { name, known } of ofControls) if (known() && matches(element, `:${name}`)) names.push(name);
    // One that is part of the page, and no window of the browser's.
    if (names.at(-1) === "open" && getComputedStyle(element, "::picker(select)").appearance === "base-select")
      names.push("picker");
    this.tell(id, names, ops);
  }

  pulse(ops: Op[]): void {
    let left = LIMIT;
    for (const [id, element] of this.controls) {
      if (left-- === 0) break;
      this.ofControl(id, element, ops);
    }
    if (this.custom.size === 0) return;
    this.findNames();
    for (const [id, element] of this.custom) {
      if (left-- <= 0) break;
      const names = matches(element, ":defined") ? [] : ["undefined"];
      for (const name of this.names) if (matches(element, `:state(${name})`)) names.push(`state(${name})`);
      this.tell(id, names, ops);
    }
  }

  private tell(id: number, names: string[], ops: Op[]): void {
    const key = names.join(" ");
    if (key === (this.said.get(id) ?? "")) return;
    this.said.set(id, key);
    ops.push(["states", id, names]);
  }

  /** The custom states that style sheets ask for; others show nowhere. */
  private findNames(): void {
    if (!custom()) return;
    const visit = (sheet: CSSStyleSheet) => {
      try {
        const count = sheet.cssRules.length;
        if (this.read.get(sheet) === count) return;
        this.read.set(sheet, count);
        for (const rule of sheet.cssRules) {
          for (const [, name] of rule.cssText.matchAll(STATE))
            if (this.names.size < NAMES) this.names.add(name as string);
        }
      } catch {
        // Another origin's: what it asks for is not known.
      }
    };
    for (const sheet of adoptedSheets(this.document)) visit(sheet);
    const sheets = documentStyleSheets(this.document);
    for (let i = 0; i < sheets.length; i++) visit(sheets[i] as CSSStyleSheet);
    for (const root of this.roots())
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) visit(sheet);
  }
}
