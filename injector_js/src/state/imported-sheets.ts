// Style sheets that others import. They have no owner of their own: where CSSOM has changed one, the sheet of the element that brings it is
// told with the rules of all that it imports in their places.

const IMPORT = 3; // CSSRule.IMPORT_RULE
/** Imports within imports that are followed. */
const DEEP = 12;
/** Rules up to which an imported sheet is read when it is met; of longer ones the first full look counts. */
const SMALL = 300;

interface First {
  readonly rules: number;
  text: string | null;
  readonly media: string;
}

/** The `@import` rules with sheets that may be read; they stand before all other rules but statements of layers. */
function* imports(rules: CSSRuleList, deep = DEEP): Generator<[CSSImportRule, CSSStyleSheet, CSSRuleList]> {
  for (let i = 0; i < rules.length && deep > 0; i++) {
    const rule = rules[i] as CSSImportRule;
    if (rule.type !== IMPORT) {
      if (rule.type !== 0) return;
      continue;
    }
    try {
      const { styleSheet } = rule;
      if (!styleSheet) continue; // it is on its way
      const inner = styleSheet.cssRules;
      yield [rule, styleSheet, inner];
      yield* imports(inner, deep - 1);
    } catch {
      // Another origin's: no script has changed it either.
    }
  }
}

/** Returns the text of style rules, with each `@import` replaced by the rules of the sheet that it imports. */
export function flattenImportedRules(rules: CSSRuleList, deep = DEEP): string {
  let text = "";
  let at = 0;
  for (const rule of rules) text += (at++ === 0 ? "" : "\n") + (inPlace(rule as CSSImportRule, deep) ?? rule.cssText);
  return text;
}

function inPlace(rule: CSSImportRule, deep: number): string | null {
  if (rule.type !== IMPORT || deep === 0) return null;
  try {
    const { styleSheet, layerName, supportsText, media } = rule;
    if (!styleSheet) return null;
    let text = flattenImportedRules(styleSheet.cssRules, deep - 1);
    // Addresses are as they were written: there they start from the imported sheet's own.
    if (styleSheet.href)
      text = text.replace(/\burl\("((?:[^"\\]|\\.)*)"\)/g, (whole, address: string) => {
        const based = /^(?:#|data:|blob:)/i.test(address) ? null : URL.parse(address, styleSheet.href as string);
        return based ? `url(${JSON.stringify(based.href)})` : whole;
      });
    if (layerName !== null && layerName !== undefined) text = `@layer ${layerName} {\n${text}\n}`;
    if (supportsText)
      text = `@supports ${/^\(|^not\b|^selector\(/.test(supportsText) ? supportsText : `(${supportsText})`} {\n${text}\n}`;
    if (media.mediaText) text = `@media ${media.mediaText} {\n${text}\n}`;
    return text;
  } catch {
    return null;
  }
}

function ownText(rules: CSSRuleList): string {
  let text = "";
  for (const rule of rules) text += `${rule.cssText}\n`;
  return text;
}

/** Remembers the first state of imported style sheets, and detects whether a script has changed them since. */
export class ImportedSheets {
  private readonly first = new WeakMap<CSSStyleSheet, First>();

  /** Whether CSSOM has changed any sheet that these rules import. `full`: every rule is compared, not only their number. */
  differ(rules: CSSRuleList, full: boolean): boolean {
    let differ = false;
    for (const [rule, sheet, inner] of imports(rules)) {
      let first = this.first.get(sheet);
      if (!first) {
        first = { rules: inner.length, text: null, media: rule.media.mediaText };
        this.first.set(sheet, first);
        if (inner.length <= SMALL) first.text = ownText(inner);
      }
      if (inner.length !== first.rules || rule.media.mediaText !== first.media || sheet.disabled) differ = true;
      else if (full) {
        const text = ownText(inner);
        first.text ??= text;
        differ ||= text !== first.text;
      }
    }
    return differ;
  }
}

/** Returns the number of rules, including those of imported sheets. */
export function countRules(rules: CSSRuleList): number {
  let count = rules.length;
  for (const [, , inner] of imports(rules)) count += inner.length;
  return count;
}

/** Returns whether these rules may contain an `@import`, judged by the first rule. */
export function mayHaveImports(rules: CSSRuleList | null): boolean {
  const type = rules?.[0]?.type;
  return type === IMPORT || type === 0;
}
