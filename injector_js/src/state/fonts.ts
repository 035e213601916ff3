// Fonts that a script made of `FontFace` objects. What they were made of cannot be read from them, so their text shows in another font when
// replayed: that is said, once for each.

import { documentStyleSheets } from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { StateTracker } from "./tracker.ts";

function named(rules: CSSRuleList, families: Set<string>): void {
  for (const rule of rules) {
    if (rule instanceof CSSFontFaceRule) families.add(plain(rule.style.getPropertyValue("font-family")));
    else if (rule instanceof CSSImportRule) listed(rule.styleSheet, families);
    else if ("cssRules" in rule) named(rule.cssRules as CSSRuleList, families);
  }
}

function listed(sheet: CSSStyleSheet | null, families: Set<string>): void {
  try {
    if (sheet) named(sheet.cssRules, families);
  } catch {
    families.add("*"); // a sheet of another origin cannot be read: any family may be its
  }
}

const plain = (family: string): string => family.replace(/^["']|["']$/g, "");

export class Fonts implements StateTracker {
  private size = 0;
  private readonly told = new Set<string>();

  constructor(
    private readonly document: Document,
    private readonly unsupported: (detail: string) => void,
  ) {}

  clear(): void {
    this.size = 0;
  }

  collect(_ops: Op[]): void {}

  pulse(): void {
    const { fonts } = this.document;
    if (fonts.size === this.size) return;
    this.size = fonts.size;
    const families = new Set<string>();
    const sheets = documentStyleSheets(this.document);
    for (let i = 0; i < sheets.length; i++) listed(sheets[i] as CSSStyleSheet, families);
    for (const sheet of this.document.adoptedStyleSheets) listed(sheet, families);
    if (families.has("*")) return;
    for (const font of fonts) {
      const family = plain(font.family);
      const name = `${family} ${font.weight} ${font.style}`;
      if (families.has(family) || this.told.has(name)) continue;
      this.told.add(name);
      this.unsupported(`FontFace ${name}`);
    }
  }
}
