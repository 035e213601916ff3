// What a shorthand with `var()` gave is written as nothing (`border-top-style: ;`) once one of its properties was given by itself, and nothing in the
// browser has it any more: not the rule's text, nor its style, nor CSS Typed OM. It is told as the elements have it that the rule is for.

/** A property without a value; a custom one may have none. */
const LOST = /(?<![\w-])([a-z][a-z-]*):\s+(!important)?;/g;
/** The pseudo-element at a selector's end. */
const PART = /::(?:before|after|marker|backdrop|first-letter|first-line|placeholder|file-selector-button)$/;
const HOST = /^:host(?:\((.*)\))?$/;
/** Elements that are asked for a rule's values. */
const ASKED = 20;

type Nested = CSSRule & {
  readonly style?: CSSStyleDeclaration;
  readonly selectorText?: string;
  readonly cssRules?: CSSRuleList;
};

/** Returns CSS declarations in which each property without a value has the one that `give` returns for its name. */
export function fillMissingPropertyValues(text: string, give: (name: string) => string): string {
  return text.replace(LOST, (all, name: string, important = "") => {
    const value = give(name);
    return value ? `${name}: ${value}${important && " "}${important};` : all;
  });
}

/** Returns whether the text of declarations or of a rule may contain a property whose value the browser left out. */
export function mayLackPropertyValue(text: string): boolean {
  return text.search(LOST) >= 0;
}

/** Writes style rules as text, and fills in the values that the browser leaves out. */
export class LostPropertyValues {
  /** By the rule and the property: what nothing is hovered by now had a value when it was. */
  private readonly known = new Map<string, string>();

  /** `scopes`: the trees that the rule's sheet is for. */
  text(rule: CSSRule, scopes: () => Iterable<Document | ShadowRoot>): string {
    const whole = rule.cssText;
    if (!mayLackPropertyValue(whole)) return whole;
    let text = whole;
    const visit = ({ style, selectorText, cssRules }: Nested, outer: string): void => {
      const selector =
        selectorText === undefined || outer === "" ? (selectorText ?? outer) : within(selectorText, outer);
      const block = style?.cssText ?? "";
      if (mayLackPropertyValue(block)) {
        const asked = [...stylesOf(selector, scopes())];
        const give = (name: string): string => this.value(`${selector} ${block} ${name}`, name, asked);
        text = text.replace(block, () => fillMissingPropertyValues(block, give));
      }
      for (const inner of cssRules ?? []) visit(inner, selector);
    };
    visit(rule, "");
    return text;
  }

  /** What most of them have. */
  private value(key: string, name: string, styles: readonly CSSStyleDeclaration[]): string {
    const counts = new Map<string, number>();
    for (const style of styles) {
      const value = style.getPropertyValue(name);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1]);
    if (most) this.known.set(key, most[0]);
    return this.known.get(key) ?? "";
  }
}

function within(selector: string, outer: string): string {
  return selector.includes("&") ? selector.replaceAll("&", `:is(${outer})`) : `:is(${outer}) :is(${selector})`;
}

function* stylesOf(selector: string, scopes: Iterable<Document | ShadowRoot>): Generator<CSSStyleDeclaration> {
  let left = ASKED;
  for (const scope of scopes) {
    for (const each of selector.split(/,(?![^(]*\))/)) {
      const part = PART.exec(each.trim())?.[0] ?? "";
      const base = each.trim().slice(0, -part.length || undefined) || "*";
      for (const element of elementsOf(base, scope)) {
        if (left-- === 0) return;
        yield getComputedStyle(element, part);
      }
    }
  }
}

function elementsOf(selector: string, scope: Document | ShadowRoot): Iterable<Element> {
  try {
    const host = HOST.exec(selector);
    if (!host) return scope.querySelectorAll(selector);
    const element = (scope as ShadowRoot).host;
    return host[1] === undefined || element.matches(host[1]) ? [element] : [];
  } catch {
    return []; // No selector of an element's.
  }
}
