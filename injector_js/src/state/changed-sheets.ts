// The rules of style sheets that were not read yet, or that have another number of rules than when they were.

import { adoptedSheetsOf, styleSheetsOf } from "../dom.ts";

export class ChangedStyleSheets {
  private readonly read = new WeakMap<CSSStyleSheet, number>();

  *rules(roots: Iterable<Document | ShadowRoot>): Generator<CSSRule> {
    for (const root of roots)
      for (const sheet of [...styleSheetsOf(root), ...adoptedSheetsOf(root)]) {
        try {
          const { cssRules } = sheet;
          if (this.read.get(sheet) === cssRules.length) continue;
          this.read.set(sheet, cssRules.length);
          yield* cssRules;
        } catch {
          // Another origin's.
        }
      }
  }
}
