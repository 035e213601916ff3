// Numbers that a script wrote into a style. Chromium writes six digits of them into the attribute, and in a list of a million rows each stands pixels
// away from where it stood: `translateY(12345678px)` is written as `1.23457e+07px`. CSS Typed OM has them whole. And what it writes as nothing.

import { ROUNDED_NUMBER } from "../config.ts";
import { getAttribute } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import { mayLackPropertyValue, fillMissingPropertyValues } from "./lost-values.ts";
import type { ChangedAttributes, StatePart } from "./part.ts";

const DECLARATION = /([a-z-]+)(\s*:\s*)([^;]+)/g;
const NUMBER = /\d*\.?\d+(?:e[+-]?\d+)?/g;

interface Typed {
  readonly value?: number | Typed;
  readonly values?: Iterable<Typed>;
  readonly matrix?: DOMMatrix;
  readonly x?: Typed;
  readonly y?: Typed;
  readonly z?: Typed;
  [Symbol.iterator]?(): Iterator<Typed>;
}

/** Records style numbers with all their digits where the browser writes only six into the attribute. */
export class ExactStyleNumbers implements StatePart {
  private readonly pending = new Set<Element>();

  constructor(private readonly idOf: (node: Node) => number) {}

  attributes(element: Element, changes: ChangedAttributes): void {
    if (changes.style) this.meet(element);
  }

  meet(element: Element): void {
    const style = getAttribute(element, "style") ?? "";
    if (ROUNDED_NUMBER.test(style) || mayLackPropertyValue(style)) this.pending.add(element);
  }

  /** A policy of the page has refused the element's attribute: it stands there and does nothing. */
  refused(element: Element): void {
    this.pending.add(element);
  }

  clear(): void {
    this.pending.clear();
  }

  collect(ops: Op[]): void {
    for (const element of this.pending) {
      this.pending.delete(element);
      const id = this.idOf(element);
      const style = getAttribute(element, "style") ?? "";
      const none = (element as HTMLElement).style?.length === 0;
      const whole = style.replace(DECLARATION, (all, name: string, colon: string, value: string) =>
        ROUNDED_NUMBER.test(value) ? name + colon + exactly(element as HTMLElement, name, value) : all,
      );
      const all = none
        ? ""
        : mayLackPropertyValue(whole)
          ? fillMissingPropertyValues(whole, (name) => getComputedStyle(element).getPropertyValue(name))
          : whole;
      if (id !== 0 && all !== style) ops.push(["exact", id, all]);
    }
  }
}

function exactly({ attributeStyleMap }: HTMLElement, name: string, value: string): string {
  try {
    const whole = [...numbersOf(attributeStyleMap.get(name) as unknown as Typed)];
    return value.replace(
      NUMBER,
      (number) => `${whole.find((each) => Number(each.toPrecision(6)) === Number(number)) ?? number}`,
    );
  } catch {
    return value; // No property, or a browser without it.
  }
}

function* numbersOf(typed: Typed | number | undefined): Generator<number> {
  if (typeof typed === "number") yield Math.abs(typed);
  else if (typed) {
    const { value, values, matrix, x, y, z } = typed;
    const parts = typed[Symbol.iterator] ? (typed as Iterable<Typed>) : (values ?? []);
    for (const part of [value, x, y, z, matrix?.e, matrix?.f, ...parts]) yield* numbersOf(part);
  }
}
