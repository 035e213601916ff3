// What scripts register for style sheets and no style sheet tells: custom properties (`CSS.registerProperty`). No interface lists them, but a
// definition that is wrong in itself is refused in another way where the name is taken
// (https://drafts.css-houdini.org/css-properties-values-api/#the-registerproperty-function). What was registered cannot be asked for either: it is
// concluded from values. The replay has it as an `@property` rule in a sheet that the page does not have.

import { documentElement } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import { ChangedStyleSheets } from "./changed-sheets.ts";
import type { StatePart } from "./part.ts";

/** Custom properties that are asked about, and the polls between two rounds of questions. */
const NAMES = 150;
const EVERY = 3;
const PROPERTY = /(?<![\w-])--[\w-]+/g;

/** What a value that the browser computed says of its type. */
const TYPES: [RegExp, string][] = [
  [/^-?[\d.]+(px|%)$|^calc\(/, "length-percentage"],
  [/^-?[\d.]+deg$/, "angle"],
  [/^-?[\d.]+s$/, "time"],
  [/^-?[\d.]+$/, "number"],
  [/^(rgb|color|lab|lch|oklab|oklch)a?\(/, "color"],
];

export class RegisteredProperties implements StatePart {
  /** The names that were found, and a selector of elements that are given a value. */
  private readonly names = new Map<string, string>();
  private readonly fresh = new ChangedStyleSheets();
  private readonly rules = new Map<string, string>();
  private turn = 0;

  constructor(
    private readonly document: Document,
    /** What a paint worklet draws exists in no place that can be read. */
    private readonly paints: () => void,
    /** Shows these rules in the replay. */
    private readonly show: (rules: string) => void,
  ) {}

  poll(_ops: Op[], must: boolean): void {
    const { CSS } = globalThis as { CSS?: typeof globalThis.CSS };
    if ((++this.turn % EVERY !== 1 && !must) || !CSS?.registerProperty) return;
    this.look();
    const before = this.rules.size;
    for (const [name, selector] of this.names) {
      if (this.rules.has(name)) continue;
      try {
        CSS.registerProperty({ name, syntax: "<", inherits: false });
      } catch (error) {
        if ((error as DOMException).name === "InvalidModificationError")
          this.rules.set(name, this.rule(name, selector));
      }
    }
    if (this.rules.size > before) this.show([...this.rules.values()].join("\n"));
  }

  /** What a registered property seems to be: its initial value is where nobody gives it one, as in a head. */
  private rule(name: string, selector: string): string {
    const root = documentElement(this.document);
    const head = this.document.head;
    const of = (element: Element | null | undefined) =>
      element ? getComputedStyle(element).getPropertyValue(name).trim() : "";
    const initial = of(head);
    let given: Element | null = null;
    try {
      given = this.document.querySelector(`${selector}[style*="${name}"]`);
    } catch {
      // A rule within another, or of a pseudo-element.
    }
    const value = of(given);
    const inherits = value !== "" && of(given?.firstElementChild) === value && (given === root || value !== initial);
    const typed = head?.computedStyleMap?.().get(name);
    const type = typed instanceof CSSUnparsedValue ? undefined : TYPES.find(([form]) => form.test(initial))?.[1];
    const text = initial && ` initial-value: ${initial};`;
    return `@property ${name} { syntax: "${type ? `<${type}>` : "*"}"; inherits: ${inherits};${text} }`;
  }

  private look(): void {
    for (const rule of this.fresh.rules([this.document])) {
      const { selectorText, style, cssText } = rule as CSSStyleRule;
      if (/\bpaint\(/.test(cssText)) this.paints();
      for (const [name] of cssText.matchAll(PROPERTY)) {
        const known = this.names.get(name);
        if (known === undefined && this.names.size >= NAMES) continue;
        const gives = !known && selectorText && style?.getPropertyValue(name);
        this.names.set(name, gives ? `${selectorText},` : (known ?? ""));
      }
    }
  }
}
