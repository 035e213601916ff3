// Style sheets. Every sheet of the recorded page, be it a <style>, a <link>, changed by script or constructed, is shown as a constructed sheet, in
// the order of the cascade. So they apply at once (nothing loads, WebKit's missing `load` events do not matter), going back and forth costs no
// parsing, and the elements keep their own text. Their own sheets are switched off.

import { loadScript } from "../script-loading.ts";
import type { Resources } from "../decode/resources.ts";
import { DEFAULT_MEDIA_PREFERENCES, type MediaPreferences } from "../history/document-log.ts";
import type { DocumentVersion } from "../state/document-version.ts";
import type { ModelNode } from "../state/node.ts";
import { trieGet } from "../state/trie.ts";
import { freezeMediaFeatures, hasForcedColors, getMetaColorSchemes } from "./media-preferences.ts";
import { disableSheet } from "./style-texts.ts";
import { tryToPaint, reportUnknownCss } from "./problems.ts";
import { removeCssUrls } from "./allow-lists.ts";

const KEPT = 300;
/** Matches the placeholder of an animated picture, as the builder writes it. */
export const ANIMATED_PICTURE_PATTERN = /pagereel:\d+@/;

/** A scope without a root is that of the parent of its `<style>`; a constructed sheet has none. */
const BARE_SCOPE = /@scope(?=[\s{])(\s*(?:\{|to\s*\())/gi;
const SCOPE = "data-pagereel-scope";

interface Made {
  readonly sheet: CSSStyleSheet;
  readonly key: string;
}

/** The style sheets of a painted document, as constructed sheets that its document and shadow roots adopt. */
export class ConstructedSheets {
  readonly #made = new Map<string, CSSStyleSheet>();
  #scopes: ReadonlyMap<Element, number> = new Map();
  readonly #shown = new Map<Document | ShadowRoot, Made[]>();
  #preferences = DEFAULT_MEDIA_PREFERENCES;
  /** Whether a picture that moves is named somewhere. */
  moves = false;
  /**
   * What the player itself says about a page's look (player_build/helper.css.j2, rare/browser-sheet.ts); shared by all roots of the document. It is a cascade layer
   * and comes before all others: what it says weighs less than anything of the page's, and what it says with `!important` more.
   */
  readonly helper: CSSStyleSheet;
  /** Where more of it can be said. */
  readonly layer: Pick<CSSGroupingRule, "insertRule">;
  /** What the helper says of the document's root. */
  readonly #root: CSSStyleRule;
  /** Stops the transitions that a style brings: between two moments of a recording none of the page's runs. */
  readonly still: ((css: string) => void) | undefined;

  constructor(
    private readonly document: Document,
    private readonly resources: Resources,
  ) {
    this.helper = new (document.defaultView as Window & typeof globalThis).CSSStyleSheet();
    const said = globalThis.document.getElementById("pagereel-sheet") as HTMLTemplateElement | null;
    this.helper.replaceSync(
      (said?.content.textContent ?? "@layer pagereel { :root {} }") + (loadScript("rare").BROWSER_STYLE_SHEET ?? ""),
    );
    this.layer = this.helper.cssRules[0] as CSSGroupingRule;
    this.#root = (this.layer as CSSGroupingRule).cssRules[0] as CSSStyleRule;
    this.still = loadScript("motion").createTransitionBlocker?.(this.layer);
  }

  /**
   * Shows the sheets of `version`. `owners` are the <style> and <link> elements and the document's processing instructions, with their real nodes; `roots` the document and the
   * shadow roots. False: a resource is being read, come again.
   */
  paint(
    version: DocumentVersion,
    owners: ReadonlyMap<number, Node>,
    roots: ReadonlyMap<number, Document | ShadowRoot>,
    preferences: MediaPreferences,
  ): boolean {
    let whole = true;
    this.#preferences = preferences;
    const lists = new Map<Document | ShadowRoot, Made[]>();
    const forced = hasForcedColors(preferences) && loadScript("rare").FORCED_COLORS_SHEET;
    for (const root of roots.values()) {
      lists.set(root, []);
      if (forced) this.#push(lists.get(root) as Made[], forced, "");
    }
    const overrides = new Map<number, string>();
    const medias = new Map<number, string>(); // A script may change them, which no attribute tells.
    const off = new Set<number>();
    for (const sheet of version.sheets.values()) {
      if (sheet.owner === 0) continue;
      overrides.set(sheet.owner, sheet.css ?? sheet.text);
      if (sheet.media) medias.set(sheet.owner, sheet.media);
      if (sheet.disabled) off.add(sheet.owner);
    }
    let meta = "";
    const scopes = new Map<Element, number>();
    for (const [id, element] of inOrder(owners)) {
      disableSheet(element);
      const node = trieGet(version.nodes, id);
      const list = lists.get(element.getRootNode() as Document | ShadowRoot);
      if (node?.tag === "meta" && list === lists.get(this.document)) meta ||= getMetaColorSchemes(node.attributes);
      if (!node || !list || off.has(id) || !applies(node)) continue;
      let text = overrides.get(id) ?? sourceOf(version, node, this.resources);
      if (text) text = text.replace(BARE_SCOPE, (_, rest) => `@scope (${this.#scope(id, element, scopes)})${rest}`);
      if (text === undefined || (text && !this.#push(list, text, medias.get(id) ?? mediaOf(node)))) whole = false;
    }
    for (const element of this.#scopes.keys()) if (!scopes.has(element)) element.removeAttribute(SCOPE);
    this.#scopes = scopes;
    this.#root.style.colorScheme = meta && freezeMediaFeatures(`color-scheme: ${meta}`, preferences).slice(14);
    for (const [id, root] of roots) {
      for (const number of version.adopted.get(id) ?? []) {
        const sheet = version.sheets.get(number);
        const list = lists.get(root);
        if (sheet && list && !sheet.disabled && !this.#push(list, sheet.css ?? sheet.text, sheet.media)) whole = false;
      }
    }
    for (const [root, list] of lists) this.#adopt(root, list);
    for (const root of this.#shown.keys()) {
      if (lists.has(root)) continue;
      this.#shown.delete(root);
      root.adoptedStyleSheets = [];
    }
    this.#trim();
    return whole;
  }

  /** What selects the parent of an owner: the root of a scope that names none. */
  #scope(id: number, owner: Node, scopes: Map<Element, number>): string {
    const parent = owner.parentElement;
    if (!parent) return ":host";
    const name = scopes.get(parent) ?? id;
    scopes.set(parent, name);
    if (parent.getAttribute(SCOPE) !== `${name}`) parent.setAttribute(SCOPE, `${name}`);
    return `[${SCOPE}="${name}"]`;
  }

  #push(list: Made[], text: string, media: string): boolean {
    const filled = this.resources.fill(text);
    this.moves ||= ANIMATED_PICTURE_PATTERN.test(text);
    const css = filled ?? text.replace(/pagereel:\d+(?:@-?\d+)?/g, "data:,");
    const key = `${this.#preferences.key}\0${media}\0${css}`;
    let sheet = this.#made.get(key);
    if (!sheet) {
      const View = this.document.defaultView as (Window & typeof globalThis) | null;
      if (!View) return true;
      sheet = tryToPaint("style sheet", () => {
        const made = new View.CSSStyleSheet({ media: freezeMediaFeatures(media, this.#preferences, true) });
        made.replaceSync(removeCssUrls(freezeMediaFeatures(css, this.#preferences)));
        if (/::selection/i.test(css)) loadScript("rare").completeSelectionColors?.(made);
        this.still?.(css);
        reportUnknownCss(css);
        return made;
      });
      if (!sheet) return true;
    }
    this.#made.delete(key);
    this.#made.set(key, sheet); // The newest last: what is trimmed is what was not used for long.
    list.push({ sheet, key });
    return filled !== undefined;
  }

  #adopt(root: Document | ShadowRoot, list: readonly Made[]): void {
    const before = this.#shown.get(root);
    if (before && before.length === list.length && before.every((made, index) => made.sheet === list[index]?.sheet))
      return;
    this.#shown.set(root, [...list]);
    try {
      root.adoptedStyleSheets = [this.helper, ...list.map((made) => made.sheet)];
    } catch {
      // A root within a template's content is another document's, and shows nothing.
    }
  }

  #trim(): void {
    if (this.#made.size <= KEPT) return;
    const used = new Set([...this.#shown.values()].flat().map((made) => made.key));
    for (const key of this.#made.keys()) {
      if (this.#made.size <= KEPT) return;
      if (!used.has(key)) this.#made.delete(key);
    }
  }
}

/**
 * Returns the text and the media of the style sheet that an element owns. The text is undefined while it is being
 * read. Returns undefined if the element owns no sheet, or a disabled one.
 */
export function getOwnedSheet(
  version: DocumentVersion,
  node: ModelNode,
  resources: Resources,
): { text: string | undefined; media: string } | undefined {
  if (!OWNERS.test(node.tag) || !applies(node)) return undefined;
  for (const { owner, disabled, css, text, media } of version.sheets.values())
    if (owner === node.id) return disabled ? undefined : { text: css ?? text, media: media || mediaOf(node) };
  return { text: sourceOf(version, node, resources), media: mediaOf(node) };
}

const OWNERS = /^(?:style|link|svg\|style)$/;

/** The text that an owner brings; undefined while it is being read. */
function sourceOf(version: DocumentVersion, node: ModelNode, resources: Resources): string | undefined {
  if (node.tag === "link" || node.kind === "pi") {
    const address = node.state.shown?.href;
    const number = /^pagereel:(\d+)/.exec(address ?? "")?.[1];
    return number === undefined ? "" : resources.text(Number(number));
  }
  let text = "";
  for (const id of node.children) {
    const child = trieGet(version.nodes, id);
    if (child && (child.kind === "text" || child.kind === "cdata")) text += child.state.css ?? child.data;
  }
  return text;
}

/** The media of an owner's sheet; an instruction has no attributes, but what is written like them. */
function mediaOf({ kind, attributes, data }: ModelNode): string {
  return (kind === "pi" ? /\bmedia\s*=\s*(["'])(.*?)\1/.exec(data)?.[2] : attributes.media) ?? "";
}

/** Whether the owner's sheet counts at all. */
function applies(node: ModelNode): boolean {
  const type = (node.attributes.type ?? "").trim().toLowerCase();
  if (node.tag === "meta") return false;
  if (type !== "" && type !== "text/css") return false;
  if (node.tag !== "link" || node.kind === "pi") return true;
  const rel = (node.attributes.rel ?? "").toLowerCase().split(/\s+/);
  return rel.includes("stylesheet") && !rel.includes("alternate") && node.attributes.disabled === undefined;
}

function inOrder(owners: ReadonlyMap<number, Node>): Array<[number, Node]> {
  return [...owners].sort(([, a], [, b]) =>
    a === b ? 0 : a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
}
