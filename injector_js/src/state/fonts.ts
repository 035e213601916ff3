// Fonts that a script made of `FontFace` objects. What they were made of cannot be read from them. The recorder knows the fonts that the
// document has loaded: where there is no doubt which of them a face is, a style sheet of ours tells the replay, which the page does not have.
// Of the others it is said, once for each, that their text shows in another font.

import { adoptedSheetsOf, baseURI, getDocumentFonts, styleSheetsOf } from "../dom.ts";
import type { StatePart } from "./part.ts";

/** How often the recorder is asked for a face: its bytes may still be on their way. */
const TRIES = 4;

/** A font file that the document has loaded. `script`: a script loaded it, with `fetch` for example, and may have made a font face from its bytes. */
export interface LoadedFont {
  url: string;
  script: boolean;
}

interface Listed {
  families: Set<string>;
  urls: Set<string>;
}

const plain = (family: string): string => family.replace(/^["']|["']$/g, "");
const bare = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
const nameOf = (font: FontFace): string => `${plain(font.family)} ${font.weight} ${font.style}`;

function named(rules: CSSRuleList, base: string, listed: Listed): void {
  for (const rule of rules) {
    if (rule instanceof CSSFontFaceRule) {
      listed.families.add(plain(rule.style.getPropertyValue("font-family")));
      for (const [, , address] of rule.style.getPropertyValue("src").matchAll(/url\((["']?)(.*?)\1\)/g))
        listed.urls.add(resolved(address as string, base));
    } else if (rule instanceof CSSImportRule) sheet(rule.styleSheet, base, listed);
    else if ("cssRules" in rule) named(rule.cssRules as CSSRuleList, base, listed);
  }
}

function sheet(found: CSSStyleSheet | null, base: string, listed: Listed): void {
  try {
    if (found) named(found.cssRules, found.href ?? base, listed);
  } catch {
    listed.families.add("*"); // a sheet of another origin cannot be read: any family may be its
  }
}

function resolved(address: string, base: string): string {
  try {
    return new URL(address, base).href;
  } catch {
    return address;
  }
}

/** The face as a rule; what is at its default is left out. */
function rule(font: FontFace, url: string): string {
  const descriptors: Record<string, string> = {
    style: font.style,
    weight: font.weight,
    stretch: font.stretch,
    "feature-settings": font.featureSettings,
  };
  let text = `font-family: ${JSON.stringify(plain(font.family))}; src: url(${JSON.stringify(url)});`;
  for (const [name, value] of Object.entries(descriptors)) if (value !== "normal") text += ` font-${name}: ${value};`;
  if (font.unicodeRange !== "U+0-10FFFF") text += ` unicode-range: ${font.unicodeRange};`;
  for (const name of ["ascent", "descent", "lineGap"] as const) {
    const value = font[`${name}Override`];
    if (value !== "normal") text += ` ${name === "lineGap" ? "line-gap" : name}-override: ${value};`;
  }
  return `@font-face { ${text} }`;
}

export class ScriptedFonts implements StatePart {
  private size = 0;
  /** Faces that are to be told of once they are loaded: sheets are read only when a face came or went. */
  private pending: FontFace[] = [];
  private readonly told = new Set<string>();
  /** The addresses of those faces whose font is known, and the rules that were told of them. */
  private readonly rules = new Map<FontFace, string>();
  private shown = "";
  private readonly used = new Set<string>();
  /** What the recorder knows at this very moment, where it says so. */
  known: readonly LoadedFont[] = [];
  private readonly tries = new WeakMap<FontFace, number>();

  constructor(
    private readonly document: Document,
    private readonly unsupported: (detail: string) => void,
    /** Asks the recorder for the fonts that the document has loaded; null where it does not know. */
    private readonly ask: (() => void) | null,
    /** Shows a sheet with these rules in the replay. */
    private readonly show: (rules: string) => void,
  ) {}

  clear(): void {
    this.size = 0;
  }

  poll(): void {
    const fonts = getDocumentFonts(this.document);
    // A face may have given way to another, or have another name or weight now.
    for (const font of this.rules.keys()) if (!fonts.has(font) && this.rules.delete(font)) this.size = -1;
    this.tell();
    if (fonts.size !== this.size) {
      this.size = fonts.size;
      this.pending = this.waiting(this.listed());
    }
    if (this.pending.length === 0) return;
    this.pending = this.pending.filter((font) => font.status !== "error" && this.isUnknown(font));
    if (this.known.length > 0 && this.loaded.length > 0) this.given(this.known);
    const { loaded } = this;
    if (loaded.length === 0) return;
    const tried = Math.min(...loaded.map((font) => this.tries.get(font) ?? 0));
    if (this.ask && tried < TRIES) {
      for (const font of loaded) this.tries.set(font, (this.tries.get(font) ?? 0) + 1);
      this.ask();
    } else for (const font of loaded) this.refuse(font);
  }

  private get loaded(): FontFace[] {
    return this.pending.filter((font) => font.status === "loaded" && this.isUnknown(font));
  }

  /** What the recorder knows: the fonts that the document has loaded. */
  given(candidates: readonly LoadedFont[]): void {
    const listed = this.listed();
    const free = candidates.filter(({ url, script }) => (script || !listed.urls.has(url)) && !this.used.has(url));
    let left = this.waiting(listed).filter((font) => font.status === "loaded");
    const take = (font: FontFace, url: string) => {
      this.rules.set(font, url);
      this.used.add(url);
      free.splice(
        free.findIndex((each) => each.url === url),
        1,
      );
      left = left.filter((each) => each !== font);
    };
    for (const font of left) {
      const alike = free.filter(({ url }) => bare(url.slice(url.lastIndexOf("/"))).includes(bare(plain(font.family))));
      const rivals = left.filter((each) => plain(each.family) === plain(font.family));
      if (alike.length === 1 && rivals.length === 1) take(font, (alike[0] as LoadedFont).url);
    }
    if (left.length === 1 && free.length === 1) take(left[0] as FontFace, (free[0] as LoadedFont).url);
    this.tell();
  }

  private tell(): void {
    const rules = [...this.rules].map(([font, url]) => rule(font, url)).join("\n");
    if (rules !== this.shown) this.show(rules);
    this.shown = rules;
  }

  private refuse(font: FontFace): void {
    const name = nameOf(font);
    if (this.told.has(name)) return;
    this.told.add(name);
    this.unsupported(`FontFace ${name}`);
  }

  /** The faces that a script made and whose font is not known. */
  private waiting({ families }: Listed): FontFace[] {
    if (families.has("*")) return [];
    return [...getDocumentFonts(this.document)].filter(
      (font) => !families.has(plain(font.family)) && this.isUnknown(font),
    );
  }

  private isUnknown(font: FontFace): boolean {
    return !this.rules.has(font) && !this.told.has(nameOf(font));
  }

  private listed(): Listed {
    const listed: Listed = { families: new Set(), urls: new Set() };
    const { document } = this;
    for (const each of [...styleSheetsOf(document), ...adoptedSheetsOf(document)])
      sheet(each, baseURI(document), listed);
    return listed;
  }
}
