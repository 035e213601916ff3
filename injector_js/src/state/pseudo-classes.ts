// States that only pseudo-classes tell: whether a person has seen a field as invalid or a script says that it is, whether the browser filled it in,
// whether its list is open, whether a custom element is defined, disabled, valid, and its custom states. No event tells of them: each poll asks.

import { activeElement, closest, supportsSelector, localName, matches } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import { isFormControl } from "./controls.ts";
import { ChangedStyleSheets } from "./changed-sheets.ts";
import type { StatePart } from "./part.ts";

/** Elements asked in one poll. */
const LIMIT = 1500;
/** Custom states that are looked for. */
const NAMES = 24;
const FORMS = new Set(["form", "fieldset"]);
/** What custom elements are that take part in a form. */
const OF_FORMS = ["enabled", "disabled", "valid", "invalid"];
const STATE = /:state\(\s*([\w-]+)\s*\)/g;

const custom = supportsSelector(":state(x)");
const ofControls = ["user-invalid", "user-valid", "autofill", "open"].map((name) => ({
  name,
  known: supportsSelector(`:${name}`),
}));

export class PseudoClassStates implements StatePart {
  private readonly controls = new Map<number, Element>();
  private readonly custom = new Map<number, Element>();
  private readonly forms = new Map<number, Element>();
  /** Whether something is invalid for what only a script knows: then so is the form around it. */
  private wrong = false;
  private readonly said = new Map<number, string>();
  private readonly names = new Set<string>();
  private readonly fresh = new ChangedStyleSheets();

  constructor(
    private readonly document: Document,
    private readonly idOf: (node: Node) => number,
    private readonly roots: () => Iterable<ShadowRoot>,
  ) {}

  meet(element: Element, id: number): void {
    if (isFormControl(element)) this.controls.set(id, element);
    else if (FORMS.has(localName(element))) this.forms.set(id, element);
    else if (localName(element).includes("-")) this.custom.set(id, element);
  }

  forget(id: number): void {
    for (const known of [this.controls, this.custom, this.forms, this.said]) known.delete(id);
  }

  clear(): void {
    for (const known of [this.controls, this.custom, this.forms, this.said]) known.clear();
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
    const { badInput, customError } = (element as HTMLInputElement).validity;
    if (matches(element, ":invalid") && (badInput || customError)) {
      names.unshift("invalid");
      this.wrong = true;
    }
    // One that is part of the page, and no window of the browser's.
    if (names.at(-1) === "open" && getComputedStyle(element, "::picker(select)").appearance === "base-select")
      names.push("picker");
    this.tell(id, names, ops);
  }

  poll(ops: Op[]): void {
    let left = LIMIT;
    this.wrong = false;
    for (const [id, element] of this.controls) {
      if (left-- === 0) break;
      this.ofControl(id, element, ops);
    }
    if (this.custom.size > 0) this.findNames();
    for (const [id, element] of this.custom) {
      if (left-- <= 0) break;
      const names = matches(element, ":defined") ? [] : ["undefined"];
      if (matches(element, ":is(:enabled,:disabled)"))
        for (const name of OF_FORMS) if (matches(element, `:${name}`)) names.push(name);
      this.wrong ||= names.at(-1) === "invalid";
      for (const name of this.names) if (matches(element, `:state(${name})`)) names.push(`state(${name})`);
      this.tell(id, names, ops);
    }
    for (const [id, element] of this.forms)
      this.tell(id, this.wrong && matches(element, ":invalid") ? ["invalid"] : [], ops);
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
    for (const { cssText } of this.fresh.rules([this.document, ...this.roots()]))
      for (const [, name] of cssText.matchAll(STATE)) if (this.names.size < NAMES) this.names.add(name as string);
  }
}
