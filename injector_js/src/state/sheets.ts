// Style sheets whose rules are not in the markup: constructed ones, and those that CSSOM has changed. The isolated world sees the same
// sheet objects as the page, so they are looked at, not patched. A cheap look (number of rules) with every poll, a full one when idle.

import { LIMITS } from "../config.ts";
import {
  adoptedSheetsOf,
  getCharacterData,
  ELEMENT_NODE,
  firstChild,
  isConnected,
  isHtmlElementNamed,
  localName,
  nextSibling,
  nodeType,
  PROCESSING_INSTRUCTION_NODE,
  styleSheetsOf,
  TEXT_NODE,
} from "../dom.ts";
import type { Op, SheetOptions } from "../encoding/ops.ts";
import type { ModelMirror } from "../mirror.ts";
import { countRules, flattenImportedRules, ImportedSheets, mayHaveImports } from "./imported-sheets.ts";
import { LostPropertyValues } from "./lost-values.ts";
import type { TransactionExtent, StatePart } from "./part.ts";
import { PollThrottle } from "./throttle.ts";

interface Seen {
  readonly number: number;
  readonly owner: number;
  /** The round in which it was last met. */
  round: number;
  rules: number;
  text: string;
  options: string;
}

/** What a sheet is without CSSOM's doing. */
interface Source {
  /** Number of rules that the source gives by itself. */
  readonly rules: number;
  /** The text of these rules; null where it was not read yet. */
  text: string | null;
  /** The source where its rules were not read yet, else "". */
  css: string;
}

/** A sheet as it was when it was met, with what is asked of it again and again: there are pages with hundreds of sheets. */
interface Met {
  /** A `<style>`, a `<link>`, or a processing instruction. */
  readonly owner: Node;
  /** Its live rules; null for a sheet from another origin, which CSSOM can neither read nor change. */
  readonly rules: CSSRuleList | null;
  readonly media: MediaList;
  readonly source: Source;
  /** Its media without CSSOM's doing. */
  readonly mediaText: string;
  /** Whether it may import others. */
  readonly imports: boolean;
}

const SOURCE_PARSE_LIMIT = 300_000;
/** Texts of `<style>` elements that are remembered, and their length at most: an icon's comes with each of its copies. */
const REMEMBERED = { texts: 200, length: 5_000 };

function textOf(sheet: CSSStyleSheet, told = (rule: CSSRule): string => rule.cssText): string | null {
  try {
    let text = "";
    for (const rule of sheet.cssRules) text += text === "" ? told(rule) : `\n${told(rule)}`;
    return text;
  } catch {
    return null; // a sheet from another origin: its source is kept from the network, and CSSOM cannot change it either
  }
}

/** The sheet's rules; null where they will never be told, undefined where they are not told yet. */
function rulesOf(sheet: CSSStyleSheet): CSSRuleList | null | undefined {
  try {
    return sheet.cssRules;
  } catch (error) {
    return (error as DOMException).name === "SecurityError" ? null : undefined;
  }
}

function styleText(element: Node): string {
  let text = "";
  for (let child = firstChild(element); child; child = nextSibling(child)) {
    if (nodeType(child) === TEXT_NODE) text += getCharacterData(child as Text);
  }
  return text;
}

/** `media`: what the sheet's media are without CSSOM's doing. */
function optionsOf(sheet: CSSStyleSheet, media: string): SheetOptions {
  const options: SheetOptions = {};
  if (sheet.disabled) options.disabled = true;
  if (sheet.media.mediaText !== media) options.media = sheet.media.mediaText;
  return options;
}

/** What a text gives by itself, told by the browser in a sheet that nothing else sees; null where it cannot. */
function parsed(css: string): CSSStyleSheet | null {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return sheet;
  } catch {
    return null;
  }
}

/** Records the style sheets of one document and its shadow roots that scripts create or change. */
export class ScriptedStyleSheets implements StatePart {
  private readonly numbers = new WeakMap<CSSStyleSheet, number>();
  private readonly seen = new Map<CSSStyleSheet, Seen>();
  private readonly met = new WeakMap<CSSStyleSheet, Met>();
  /** By the text of the `<style>` element. */
  private readonly sources = new Map<string, Source>();
  private readonly imports = new ImportedSheets();
  private readonly lost = new LostPropertyValues();
  /** Shadow roots that were not looked at yet. */
  private readonly fresh = new Set<number>();
  private readonly adopted = new Map<number, string>();
  /** The addresses of the sheets of processing instructions, by the instruction's id, and those of them that a look has not met yet. */
  private readonly instructions = new Map<number, string>();
  private unmet = new Set<number>();
  /** `<style>` elements without a sheet, refused by a policy of the page, and links that got nothing: whatever their source is, it does nothing. */
  private readonly without = new Map<HTMLStyleElement | HTMLLinkElement, CSSStyleSheet | null>();
  /** The sheets that failed links have, which scripts may fill. */
  private readonly failures = new WeakSet<CSSStyleSheet>();
  private next = 1;
  private round = 0;
  /** Looks at every rule, and whether the last one found anything. */
  private readonly full: PollThrottle;
  private found = false;
  /** Looks at numbers alone. */
  private readonly counts: PollThrottle;
  /** A sheet that the replay has and the page has not; null while it would be empty. */
  private added: CSSStyleSheet | null = null;

  constructor(
    private readonly document: Document,
    private readonly mirror: ModelMirror,
    private readonly roots: ReadonlyMap<number, ShadowRoot>,
    private readonly now: () => number,
  ) {
    this.full = new PollThrottle(now, now());
    this.counts = new PollThrottle(now);
  }

  /**
   * Whether every rule should be compared again. Rules change without a sign; they are read within a second, sooner where they did before, and
   * for no more than a hundredth of the page's time. A checkpoint reads them in any case.
   */
  get due(): boolean {
    const pause = this.found ? LIMITS.poll : LIMITS.seldom - LIMITS.late;
    return this.full.cost < LIMITS.slice && this.full.since > pause + this.full.wait;
  }

  /**
   * Compares the numbers of rules. In a slice, where that would take more than a hundredth of the time since the last look, it is at new shadow
   * roots only: there are pages with a style sheet in each of their hundreds of icons.
   */
  collect(ops: Op[], extent: TransactionExtent): void {
    if (extent !== "slice" || this.counts.since >= this.counts.wait) {
      this.visit(ops, false);
      return;
    }
    for (const id of this.fresh) {
      const root = this.roots.get(id);
      if (root) this.scope(id, root, ops, false);
    }
    this.fresh.clear();
  }

  /** A checkpoint reads all rules, after the others: a face that it has found may bring a sheet. */
  poll(ops: Op[], must: boolean): void {
    if (must) this.read(ops);
  }

  /** Compares every rule. */
  read(ops: Op[]): void {
    this.visit(ops, true);
  }

  private visit(ops: Op[], full: boolean): void {
    const began = this.now();
    this.fresh.clear();
    this.round++;
    const before = ops.length;
    this.unmet = new Set(this.instructions.keys());
    this.scope(this.mirror.idOf(this.document), this.document, ops, full);
    for (const id of this.unmet) {
      this.instructions.delete(id);
      if (this.mirror.alive(id)) ops.push(["src", id, ""]);
    }
    for (const [id, root] of this.roots) this.scope(id, root, ops, full);
    for (const [element, sheet] of this.without) this.none(element, sheet, ops);
    const gone: number[] = [];
    for (const [sheet, seen] of this.seen) {
      if (seen.round === this.round) continue;
      this.seen.delete(sheet);
      // A removed owner took its sheets along in the model.
      if (seen.owner === 0 || this.mirror.alive(seen.owner)) gone.push(seen.number);
    }
    if (gone.length > 0) ops.push(["unsheet", ...gone]);
    (full ? this.full : this.counts).took(began);
    if (full) this.found = ops.length > before;
  }

  clear(): void {
    this.seen.clear();
    this.instructions.clear();
    this.adopted.clear();
    this.fresh.clear();
  }

  meet(element: Element): void {
    if (localName(element) === "style" && !(element as HTMLStyleElement).sheet && firstChild(element))
      this.without.set(element as HTMLStyleElement, null);
  }

  /** A link could not be loaded, or was not allowed to. */
  failed(link: HTMLLinkElement): void {
    const { sheet } = link;
    if (sheet && rulesOf(sheet)) this.failures.add(sheet);
    else if (link.relList.contains("stylesheet")) this.without.set(link, sheet);
  }

  meetRoot(_root: ShadowRoot, id: number): void {
    this.fresh.add(id);
  }

  /** Gives the document a sheet with these rules in the replay. The page sees nothing of it: no document here adopts it. */
  own(rules: string): void {
    if (!this.added && rules === "") return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    this.added = rules === "" ? null : sheet;
  }

  forget(id: number): void {
    this.adopted.delete(id);
  }

  /** The lines that the digest takes; see docs/format.md. */
  lines(): string {
    const sheets: [number, string][] = [];
    for (const seen of this.seen.values()) sheets.push([seen.number, `Y${seen.number} ${seen.owner} ${seen.text}\n`]);
    sheets.sort((a, b) => a[0] - b[0]);
    let lines = "";
    for (const [, line] of sheets) lines += line;
    const roots = [...this.adopted].sort((a, b) => a[0] - b[0]);
    for (const [id, list] of roots) if (list !== "") lines += `A${id} ${list}\n`;
    return lines;
  }

  private scope(id: number, root: Document | ShadowRoot, ops: Op[], full: boolean): void {
    if (id === 0) return;
    const own = adoptedSheetsOf(root);
    const adopted = this.added && root === this.document ? [this.added, ...own] : own;
    const before = this.adopted.get(id) ?? "";
    if (adopted.length > 0 || before !== "") {
      let numbers = "";
      for (const sheet of adopted) {
        this.look(sheet, root, 0, ops, full);
        numbers += numbers === "" ? this.number(sheet) : `,${this.number(sheet)}`;
      }
      if (numbers !== before) {
        this.adopted.set(id, numbers);
        ops.push(["adopt", id, numbers === "" ? [] : numbers.split(",").map(Number)]);
      }
    }
    for (const sheet of styleSheetsOf(root)) {
      const met = this.met.get(sheet) ?? this.know(sheet);
      if (met === null) continue;
      const ownerId = this.mirror.idOf(met.owner);
      if (ownerId !== 0 && nodeType(met.owner) === PROCESSING_INSTRUCTION_NODE)
        this.instructed(ownerId, sheet.href ?? "", ops);
      if (ownerId !== 0 && this.differsFromSource(sheet, met, full)) this.look(sheet, root, ownerId, ops, full);
    }
  }

  /** Which sheet an `<?xml-stylesheet?>` brings; whether it brings one at all depends on where it stands and who made it. */
  private instructed(id: number, href: string, ops: Op[]): void {
    this.unmet.delete(id);
    if (this.instructions.get(id) === href) return;
    this.instructions.set(id, href);
    ops.push(["src", id, href]);
  }

  /**
   * A `<link>` has loaded, or the document and all that it waits for. What a sheet is now is without CSSOM's doing; what the page's own listeners
   * do to it next could not be told from it later.
   */
  came(loaded: HTMLLinkElement | HTMLStyleElement | Document): void {
    const list = loaded === this.document ? styleSheetsOf(loaded) : [(loaded as HTMLStyleElement).sheet];
    for (const sheet of list) {
      if (!sheet) continue;
      const met = this.met.get(sheet) ?? this.know(sheet, true);
      if (met?.imports && met.rules) this.imports.differ(met.rules, false); // What they are now is what they were.
    }
  }

  private know(sheet: CSSStyleSheet, whole = false): Met | null {
    const owner: Node | null = sheet.ownerNode;
    // Before its owner is recorded, a sheet may still be made.
    if (!owner || (!whole && this.mirror.idOf(owner) === 0)) return null;
    const rules = rulesOf(sheet);
    if (rules === undefined) return null;
    const { media } = sheet;
    const source = this.sourceOf(owner, rules?.length ?? 0);
    const met = { owner, rules, media, source, mediaText: media.mediaText, imports: mayHaveImports(rules) };
    this.met.set(sheet, met);
    return met;
  }

  /** Whether CSSOM has given an element's sheet other rules than its source. Once it has, it stays so. */
  private differsFromSource(sheet: CSSStyleSheet, met: Met, full: boolean): boolean {
    const { rules, source } = met;
    if (rules === null) return false;
    if (this.failures.has(sheet)) return true;
    if (rules.length !== source.rules || sheet.disabled || met.media.mediaText !== met.mediaText) return true;
    if (this.seen.has(sheet) || (met.imports && this.imports.differ(rules, full))) return true;
    if (!full) return false;
    const text = textOf(sheet);
    if (source.css !== "") {
      const fresh = parsed(source.css);
      source.text = fresh && textOf(fresh);
      source.css = "";
    }
    // A sheet from the network, or too long to be parsed twice, is taken to be as it came when it is first read.
    source.text ??= text;
    return text !== source.text;
  }

  private sourceOf(owner: Node, rules: number): Source {
    if (nodeType(owner) !== ELEMENT_NODE || !isHtmlElementNamed(owner as Element, "style"))
      return { rules, text: null, css: "" };
    const css = styleText(owner);
    if (css.trim() === "") return { rules: 0, text: "", css: "" };
    if (css.length > SOURCE_PARSE_LIMIT || css.includes("@import")) return { rules, text: null, css: "" };
    const known = this.sources.get(css);
    if (known) return known;
    const sheet = parsed(css);
    // No constructed sheets here: the first look stands for the source.
    if (!sheet) return { rules, text: null, css: "" };
    const source = { rules: sheet.cssRules.length, text: null, css };
    if (css.length > REMEMBERED.length) return source;
    if (this.sources.size === REMEMBERED.texts) this.sources.clear();
    this.sources.set(css, source);
    return source;
  }

  /** Tells that an element has no sheet. */
  private none(element: HTMLStyleElement | HTMLLinkElement, sheet: CSSStyleSheet | null, ops: Op[]): void {
    const owner = this.mirror.idOf(element);
    if (element.sheet !== sheet || !isConnected(element)) this.without.delete(element);
    else if (owner !== 0) {
      const key = element as unknown as CSSStyleSheet;
      const seen = this.seen.get(key);
      const number = this.number(key);
      if (!seen) ops.push(["sheet", number, owner, ""]);
      this.seen.set(key, { number, owner, round: this.round, rules: 0, text: "", options: "{}" });
    }
  }

  private number(sheet: CSSStyleSheet): number {
    let number = this.numbers.get(sheet);
    if (number === undefined) {
      number = this.next++;
      this.numbers.set(sheet, number);
    }
    return number;
  }

  /** The trees that have adopted a sheet; the one that is being looked at comes first. */
  private *adopters(root: Document | ShadowRoot, number: number): Generator<Document | ShadowRoot> {
    yield root;
    for (const [id, list] of this.adopted) {
      const other = this.roots.get(id) ?? this.document;
      if (other !== root && `,${list},`.includes(`,${number},`)) yield other;
    }
  }

  private look(sheet: CSSStyleSheet, root: Document | ShadowRoot, owner: number, ops: Op[], full: boolean): void {
    const number = this.number(sheet);
    const options = optionsOf(sheet, this.met.get(sheet)?.mediaText ?? "");
    const optionKey = JSON.stringify(options);
    const list = rulesOf(sheet);
    const imports = list && mayHaveImports(list);
    const rules = imports ? countRules(list) : (list?.length ?? -1);
    const seen = this.seen.get(sheet);
    if (seen) seen.round = this.round;
    if (seen && !full && seen.rules === rules && seen.options === optionKey) return;
    const scopes = owner === 0 ? () => this.adopters(root, number) : () => [root];
    const text = imports ? flattenImportedRules(list) : textOf(sheet, (rule) => this.lost.text(rule, scopes));
    if (text === null) return;
    if (seen && seen.text === text && seen.options === optionKey) {
      seen.rules = rules;
      return;
    }
    this.seen.set(sheet, { number, owner, round: this.round, rules, text, options: optionKey });
    ops.push(optionKey === "{}" ? ["sheet", number, owner, text] : ["sheet", number, owner, text, options]);
  }
}
