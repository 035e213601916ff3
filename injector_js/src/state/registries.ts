// What scripts register for style sheets and no style sheet tells: custom properties (`CSS.registerProperty`) and highlights. The replay has
// neither, and so it is said, once for each. No interface lists registered properties, but a definition that is wrong in itself is refused in
// another way where the name is taken (https://drafts.css-houdini.org/css-properties-values-api/#the-registerproperty-function).

import { adoptedSheets, documentStyleSheets } from "../dom.ts";
import type { StateTracker } from "./tracker.ts";

/** Custom properties that are asked about, and the pulses between two rounds of questions. */
const NAMES = 150;
const EVERY = 3;
const PROPERTY = /(?<![\w-])--[\w-]+/g;

export class Registries implements StateTracker {
  private readonly names = new Set<string>();
  private readonly read = new WeakMap<CSSStyleSheet, number>();
  private readonly told = new Set<string>();
  private turn = 0;

  constructor(
    private readonly document: Document,
    private readonly unsupported: (what: string, detail: string) => void,
  ) {}

  clear(): void {}

  collect(): void {}

  pulse(): void {
    const { CSS } = globalThis as { CSS?: typeof globalThis.CSS };
    if (!CSS) return;
    if (CSS.highlights?.size) {
      for (const name of CSS.highlights.keys()) this.tell("highlight", name);
    }
    if (++this.turn % EVERY !== 1 || !CSS.registerProperty) return;
    this.look();
    for (const name of this.names) {
      try {
        CSS.registerProperty({ name, syntax: "<", inherits: false });
      } catch (error) {
        if ((error as DOMException).name !== "InvalidModificationError") continue;
        this.names.delete(name);
        this.tell("property", name);
      }
    }
  }

  /** Finds the names in one sheet that was not read, or has another number of rules. */
  private look(): void {
    for (const sheet of [...documentStyleSheets(this.document), ...adoptedSheets(this.document)]) {
      try {
        const { cssRules } = sheet;
        if (this.read.get(sheet) === cssRules.length) continue;
        this.read.set(sheet, cssRules.length);
        for (const rule of cssRules) {
          for (const [name] of rule.cssText.matchAll(PROPERTY)) if (this.names.size < NAMES) this.names.add(name);
          if (this.names.size >= NAMES) return;
        }
      } catch {
        // Another origin's.
      }
    }
  }

  private tell(what: string, name: string): void {
    if (this.told.has(what + name) || this.told.size > NAMES) return;
    this.told.add(what + name);
    this.unsupported(what, name);
  }
}
