// Paints the versions of one recorded document onto one real document, touching only what differs.

import type { Resources } from "../decode/resources.ts";
import { DEFAULT_PREFERENCES, type Preferences } from "../history/log.ts";
import type { Motion } from "../motion/motion.ts";
import { loadScript } from "../scripts.ts";
import type { Embedded } from "../rare/embedded.ts";
import type { TopLayer } from "../rare/layer.ts";
import type { CanvasPictures } from "../rare/pixels.ts";
import { type DocumentVersion, EMPTY } from "../state/version.ts";
import { CONTROLS } from "../state/forms.ts";
import { LARGE_PAGE, PREVIEW_NODES, PREVIEW_CHILDREN } from "../state/preview.ts";
import { isFilled, PARENTS, type VNode } from "../state/node.ts";
import { trieDiff, trieGet, trieHolds } from "../state/trie.ts";
import { paintedAttributes, setAttributes } from "./attributes.ts";
import { paintControl, paintScroll, paintStates } from "./controls.ts";
import { type Framing, frameObject, mayShowDocument } from "./frame.ts";
import { moveDrawings, paintLate } from "./assigned.ts";
import type { Ring } from "./markers.ts";
import { createNode, instructionText } from "./nodes.ts";
import { paintSelection } from "./selection.ts";
import { ANIMATED_PICTURE, Sheets } from "./sheets.ts";
import { paintStyleText, setData, disableSheet } from "./styletexts.ts";
import { attempt } from "./problems.ts";
import { ANIMATIONS, isScript, EMPTIED_ELEMENTS } from "./wall.ts";

const OBJECTS = new Set(["object", "embed"]);
const FRAMES = new Set(["iframe", "frame", ...OBJECTS]);
const STYLES = new Set(["style", "svg|style", "link", "meta"]);
const NOWHERE = [0, 0, 0, 0] as const;
const MEDIA = new Set(["video", "audio"]);

/** Where something was scrolled to, and in what room it stands now. */
function roomOf(node: Node, scroll: unknown): string {
  const element = (node as Document).scrollingElement ?? (node as Element);
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
  return [scroll, scrollWidth, scrollHeight, clientWidth, clientHeight].join();
}

/** Elements within each other that are built in one go. */
const DEEP = 200;

export class DocumentView {
  #version: DocumentVersion = EMPTY;
  readonly #real = new Map<number, Node>();
  readonly #ids = new WeakMap<Node, number>();
  readonly #owners = new Map<number, Node>();
  /** The document and its shadow roots. */
  readonly roots = new Map<number, Document | ShadowRoot>();
  readonly #scrolled = new Set<number>();
  /** What could not be scrolled as far as it was, though all had come: texts that are masked take less room. By node, where and in what room. */
  readonly #short = new Map<number, string>();
  readonly #rare = loadScript("rare");
  readonly #layer: TopLayer | undefined;
  readonly #motion: Motion | undefined;
  readonly #sheets: Sheets;
  readonly #pictures: CanvasPictures | undefined;
  /** What its objects show. */
  readonly embedded: Embedded | undefined;
  /** The frames of this document, by node id. */
  readonly frames = new Map<number, Framing>();
  readonly media = new Map<number, HTMLMediaElement>();
  /** The next try to put films where they belong that were not there yet. */
  #again: ReturnType<typeof setTimeout> | undefined;
  /** Films that were put into the document when they had loaded, and from where. */
  readonly #calm = new WeakMap<HTMLMediaElement, string>();
  /** Controls whose value was masked where it was read. */
  readonly masked = new Set<number>();
  /** The field in which text is selected. */
  field: HTMLInputElement | undefined;
  /** Whether it skips content that is out of sight. */
  skips = false;
  /** SVG's own animation elements. */
  readonly #animators = new Set<number>();
  /** Slots that a script put nodes into, and drawings that one moved: their state holds where all stands in its place. */
  readonly #late = new Set<number>();
  /** Nodes whose resources are still being read. */
  readonly #unfinished = new Set<number>();
  /** Those that show a picture that moves; and which of its frames they show. */
  readonly #moving = new Set<number>();
  #films = 0;
  #sheetsStale = false;
  #preferences = DEFAULT_PREFERENCES;

  // What one painting collects.
  #sheetsTouched = false;
  readonly #controls = new Set<number>();
  readonly #styles = new Set<number>();
  /** How many elements, each within the other, are being built; and those whose children come when these are done. */
  #depth = 0;
  readonly #deep: VNode[] = [];
  /** How many nodes more a first look may have; and the parents whose other children come with the next painting. */
  #room = Number.POSITIVE_INFINITY;
  readonly #rest = new Set<number>();

  constructor(
    readonly document: Document,
    private readonly resources: Resources,
  ) {
    this.#sheets = new Sheets(document, resources);
    const { CanvasPictures, Embedded, TopLayer } = this.#rare;
    const { Motion } = loadScript("motion");
    this.#pictures = CanvasPictures && new CanvasPictures(document, resources, this.#sheets.layer);
    this.embedded = Embedded && new Embedded(document, resources, this.#sheets.layer);
    this.#layer = TopLayer && new TopLayer();
    this.#motion = Motion && new Motion();
    // Empty it is painted too, so that a document looks the same before its first message whichever way one came there.
    this.#begin(EMPTY);
    this.#sheets.paint(EMPTY, this.#owners, this.roots, DEFAULT_PREFERENCES);
  }

  get whole(): boolean {
    return this.#unfinished.size === 0 && !this.#sheetsStale;
  }

  node(id: number): Node | undefined {
    return this.#real.get(id);
  }

  idOf(node: Node): number | undefined {
    return this.#ids.get(node);
  }

  /** The elements in whose shadow trees a node is. */
  *hosts(id: number): Generator<Element> {
    for (let node = this.#get(id); node; node = this.#get(node.parent)) {
      const host = node.kind === "shadow" && this.#real.get(node.parent);
      if (host) yield host as Element;
    }
  }

  /** Of the trees whose style sheets reach an element, the innermost: what is said there gives way to what any other says. */
  ring(id: number): Ring {
    const node = this.#get(id);
    const hosts = (of: VNode | undefined): boolean => this.roots.has(of?.inner ?? 0);
    return hosts(node) ? "ring-host" : hosts(this.#get(node?.parent ?? 0)) ? "ring-slot" : "ring";
  }

  get current(): DocumentVersion {
    return this.#version;
  }

  /** Whether a first look stands, and the rest of the page is to be painted. */
  get isLook(): boolean {
    return this.#rest.size > 0 || this.#version.isLook === true;
  }

  /** Makes the document show `version`; with `look`, where nothing stood before and nothing is scrolled, what is in sight of it. */
  paint(version: DocumentVersion, preferences: Preferences, look = false): void {
    const before = this.#version;
    if (before === version && this.#preferences === preferences && this.whole && !this.isLook) return;
    this.#version = version;
    const rest = [...this.#rest];
    this.#rest.clear();
    const inPart =
      look && before === EMPTY && trieHolds(version.nodes, LARGE_PAGE) && !isScrolled(this.#get(version.root));
    this.#room = inPart ? PREVIEW_NODES : Number.POSITIVE_INFINITY;
    this.#sheetsTouched =
      before.sheets !== version.sheets ||
      before.adopted !== version.adopted ||
      this.#preferences !== preferences ||
      this.#sheetsStale;
    if (this.#preferences !== preferences) {
      this.#preferences = preferences;
      for (const [id, real] of this.#real) {
        const node = this.#get(id);
        if (node && /color-scheme/i.test(node.attributes?.style ?? "") && real) this.#paintResources(node);
      }
    }
    this.#controls.clear();
    const changed: VNode[] = [];
    const gone: number[] = [];
    let moved = before.nodes === EMPTY.nodes; // Then all is new.
    if (!moved)
      trieDiff(before.nodes, version.nodes, (id, old, now) => {
        if (!now) gone.push(id);
        else if (old && !this.#sameHost(old, now)) gone.push(id);
        else if (old) changed.push(now);
        if (old?.children !== now?.children) moved = true;
      });
    if (before.root !== version.root || (moved && !this.#real.has(version.root))) this.#begin(version);
    const rebuilt = this.#forget(gone);
    for (const node of changed) attempt(node.tag, () => this.#paintChildren(node, true));
    for (const id of [...rebuilt, ...rest]) {
      const node = this.#get(id);
      if (node) attempt(node.tag, () => this.#paintChildren(node, false));
    }
    // What a document has further down than the engine's stack would bear.
    for (let node = this.#deep.pop(); node; node = this.#deep.pop()) {
      const parent = node;
      attempt(node.tag, () => this.#paintChildren(parent, false));
    }
    for (const node of changed) attempt(node.tag, () => this.#paintOwn(node, trieGet(before.nodes, node.id)));
    for (const id of [...this.#unfinished]) {
      const node = this.#get(id);
      if (node) attempt(node.tag, () => this.#paintResources(node));
      else this.#unfinished.delete(id);
    }
    attempt("styles", () => this.#paintStyleTexts());
    if (this.#sheetsTouched) this.#sheetsStale = !this.#sheets.paint(version, this.#owners, this.roots, preferences);
    for (const id of this.#controls) {
      const node = this.#get(id);
      const element = this.#real.get(id);
      if (node && element)
        attempt(node.tag, () => {
          paintControl(version, node, element as Element, (of) => this.#real.get(of));
          const { typed } = node.state;
          const field = element as HTMLInputElement;
          if (typed || field.hasAttribute("data-pagereel-typed"))
            this.#rare.paintTyped?.(field, typed ?? [], this.#sheets.layer);
        });
    }
    for (const id of this.#late)
      attempt("late", () => paintLate(this.#real.get(id), this.#get(id)?.state ?? {}, (of) => this.#real.get(of)));
    if (version.highlights.size + before.highlights.size) {
      attempt("highlights", () =>
        this.#rare.paintHighlights?.(this.document, version.highlights, (id) => this.#real.get(id)),
      );
    }
    attempt("top layer", () => this.#layer?.paint(version.layer, (id) => this.#real.get(id) as Element | undefined));
    // Also where it is the same: moving its nodes about has lost it.
    if (before.selection !== version.selection || version.selection[0])
      attempt("selection", () => {
        this.field = paintSelection(this.document, version.selection, (id) => this.#real.get(id), this.field);
      });
  }

  /** Puts what moves where it was at `t`: animations, audio and video. `changed`: something was painted or marked since the last time. */
  move(t: number, changed: boolean, tries = 100): void {
    clearTimeout(this.#again);
    const real = (id: number): Node | undefined => this.#real.get(id);
    attempt("pictures", () => this.#moveFilms());
    this.#motion?.paint(this.#version, t, this.roots.values(), real, (node) => this.#ids.get(node), changed);
    for (const [id, element] of this.media) {
      const state = this.#get(id)?.state.media;
      if (!state) continue;
      attempt("media", () => {
        // On a busy machine a film is there long after the page shows: whoever opened this moment waits for its frame.
        if (this.#rare.paintPosition?.(element, state, t) || !tries) return;
        clearTimeout(this.#again);
        this.#again = setTimeout(() => this.move(t, false, tries - 1), 300);
      });
    }
    attempt("svg", () =>
      moveDrawings(this.#animators, t, real, (svg) => this.#get(this.#ids.get(svg) ?? 0)?.state ?? {}),
    );
  }

  /** Scrolls what was scrolled: when all is there that gives it its height. Whether everything stood there, or where it was `givenUp` before. */
  scroll(givenUp = false): boolean {
    let stands = true;
    this.skips = false;
    for (const id of this.#scrolled) {
      const node = this.#get(id);
      const real = this.#real.get(id);
      if (!node || !real) continue;
      const { scroll } = node.state;
      const anchor = scroll?.[2] ? this.#real.get(scroll[2]) : undefined;
      if (anchor) this.skips = true;
      if (paintScroll(real, scroll ?? NOWHERE, anchor as Element | undefined)) continue;
      const room = roomOf(real, scroll);
      if (givenUp) this.#short.set(id, room);
      else if (this.#short.get(id) !== room) stands = false;
      if (!node.state.scroll && node.kind !== "document" && node.tag !== "select") this.#scrolled.delete(id);
    }
    return stands;
  }

  /** Puts films that have loaded into the document anew: see twinWithoutControls. */
  async calmFilms(): Promise<void> {
    const calm = async ([id, film]: [number, HTMLMediaElement]): Promise<void> => {
      const source = film.currentSrc;
      if (this.#calm.get(film) === source) return;
      const twin = await this.#rare.twinWithoutControls?.(film);
      const node = this.#get(id);
      if (!twin || !node || this.#real.get(id) !== film) return;
      this.#calm.set(twin, source);
      this.#real.set(id, twin);
      this.#ids.set(twin, id);
      this.media.set(id, twin);
      twin.append(...film.childNodes);
      this.#paintOwn(node, undefined);
      film.replaceWith(twin);
    };
    await Promise.all([...this.media].map(calm));
  }

  /** The pictures that give their place a size. */
  *pictures(): Generator<HTMLImageElement> {
    yield* this.embedded?.pictures.values() ?? [];
    for (const root of this.roots.values())
      for (const image of root.querySelectorAll("img")) if (image.src || image.srcset) yield image;
  }

  #moveFilms(): void {
    const { version = 0 } = this.resources.films ?? {};
    if (version === this.#films) return;
    this.#films = version;
    for (const id of this.#moving) {
      const node = this.#get(id);
      if (node) this.#paintResources(node);
      else this.#moving.delete(id);
    }
    if (this.#sheets.moves)
      this.#sheetsStale = !this.#sheets.paint(this.#version, this.#owners, this.roots, this.#preferences);
  }

  #get(id: number): VNode | undefined {
    return trieGet(this.#version.nodes, id);
  }

  #begin(version: DocumentVersion): void {
    for (const map of [this.#real, this.#owners, this.roots, this.frames, this.media]) map.clear();
    this.#scrolled.clear();
    this.#short.clear();
    this.#unfinished.clear();
    this.#animators.clear();
    this.#late.clear();
    this.masked.clear();
    this.document.replaceChildren();
    this.#sheetsTouched = true;
    this.roots.set(version.root, this.document);
    this.#scrolled.add(version.root);
    const root = trieGet(version.nodes, version.root);
    if (!root) return;
    this.#real.set(root.id, this.document);
    this.#paintChildren(root, false);
    this.#paintOwn(root, undefined);
  }

  /**
   * A shadow root cannot be taken away or exchanged: an element that gains or loses one must be made anew, if it was painted before; and so must
   * a picture, to be one that never had a source, and an object, which keeps to its own content once it showed it.
   */
  #sameHost(old: VNode, now: VNode): boolean {
    if (now.tag === "img" && isFresh(now) && !isFresh(old)) return false;
    if (OBJECTS.has(now.tag) && old.state.states !== now.state.states) return false;
    return old.inner === now.inner || old.inner === 0 || now.kind !== "element" || old.tag !== now.tag;
  }

  /** Lets go of real nodes. Returns the parents whose children must be painted because an element among them is made anew. */
  #forget(gone: readonly number[]): Set<number> {
    const parents = new Set<number>();
    for (const id of gone) {
      const real = this.#real.get(id);
      if (real === undefined) continue;
      const still = this.#get(id);
      if (still) {
        parents.add(still.parent);
        // What stays within it is built anew along with it: a shadow root's content cannot leave its real host alone.
        this.#drop(still);
      }
      this.#unlist(id);
      if (real.nodeType !== Node.DOCUMENT_NODE && real.nodeType !== Node.DOCUMENT_FRAGMENT_NODE)
        (real as ChildNode).remove();
    }
    return parents;
  }

  #drop(node: VNode): void {
    const stack = [node];
    for (let top = stack.pop(); top; top = stack.pop()) {
      for (const id of [top.inner, ...top.children]) {
        const child = id ? this.#get(id) : undefined;
        if (child) stack.push(child);
        this.#unlist(id);
      }
    }
  }

  #unlist(id: number): void {
    this.#real.delete(id);
    if (this.#owners.delete(id)) this.#sheetsTouched = true;
    if (this.roots.delete(id)) this.#sheetsTouched = true;
    this.frames.delete(id);
    this.media.delete(id);
    this.#animators.delete(id);
    this.#late.delete(id);
    this.masked.delete(id);
    this.#scrolled.delete(id);
    this.#unfinished.delete(id);
  }

  // -- structure ---------------------------------------------------------------------------------------------------------

  /** Puts the real children of a node in order, and builds those that are new. */
  #paintChildren(node: VNode, existed: boolean): void {
    const parent = this.#real.get(node.id);
    if (!parent || !PARENTS.has(node.kind)) return;
    if (node.inner) this.#attachInner(node, parent as Element);
    if (STYLES.has(node.tag)) this.#styles.add(node.id);
    if (existed) {
      // First take out what does not belong here any more: then what stays is in order but for what was moved.
      const kept = new Set(node.children);
      for (const child of [...parent.childNodes]) {
        const id = this.#ids.get(child);
        if (id === undefined || !kept.has(id)) child.remove();
      }
    }
    let cursor: ChildNode | null = parent.firstChild;
    let left = node.tag === "head" ? Number.POSITIVE_INFINITY : PREVIEW_CHILDREN; // What is in a head styles the rest.
    for (const id of node.children) {
      const known = this.#real.has(id);
      if (!known && Number.isFinite(this.#room) && (left-- <= 0 || this.#room-- <= 0)) {
        this.#rest.add(node.id);
        break;
      }
      const child = attempt(this.#get(id)?.tag || "node", () => this.#ensure(id)) as ChildNode | null | undefined;
      if (!child) continue;
      if (cursor === child) {
        cursor = cursor.nextSibling;
        continue;
      }
      if (cursor && cursor.nextSibling === child) {
        // One that went further down: step over it now, it is put in its place when its turn comes.
        const late: ChildNode = cursor;
        cursor = child.nextSibling;
        late.remove();
        this.#sheetsTouched = true;
        continue;
      }
      // What is moved takes its style elements along, and they come back with a sheet that is on.
      const moved = known && this.#owners.size > 0;
      try {
        parent.insertBefore(child, cursor);
      } catch {
        // A tree that no document can have (two roots): what fits is shown.
      }
      if (moved) {
        this.#sheetsTouched = true;
        for (const owner of this.#owners.values()) if (child.contains(owner)) disableSheet(owner);
      }
    }
    while (cursor) {
      const next: ChildNode | null = cursor.nextSibling;
      cursor.remove();
      cursor = next;
    }
    this.#noteControl(node);
  }

  #ensure(id: number): Node | null {
    const known = this.#real.get(id);
    if (known) return known;
    const node = this.#get(id);
    const real = node ? createNode(this.document, node) : null;
    if (!node || !real) return null;
    this.#real.set(id, real);
    this.#ids.set(real, id);
    if (node.kind === "text" || node.kind === "cdata") {
      const parent = this.#get(node.parent);
      setData(real as CharacterData, parent && STYLES.has(parent.tag) ? "" : this.#textOf(node, parent));
    }
    if (node.kind === "pi" && this.#get(node.parent)?.kind === "document") {
      this.#owners.set(id, real);
      this.#sheetsTouched = true;
    }
    if (node.kind === "element") {
      const element = real as Element;
      if (STYLES.has(node.tag)) this.#owners.set(id, element);
      if (FRAMES.has(node.tag)) this.frames.set(id, element as Framing);
      if (ANIMATIONS.has(node.tag)) this.#animators.add(id);
      if (MEDIA.has(node.tag)) this.media.set(id, element as HTMLMediaElement);
      attempt(node.tag, () => this.#paintOwn(node, undefined));
      if (this.#depth > DEEP) this.#deep.push(node);
      else
        try {
          this.#depth += 1;
          this.#paintChildren(node, false);
        } finally {
          this.#depth -= 1;
        }
    }
    return real;
  }

  #attachInner(node: VNode, host: Element): void {
    const inner = this.#get(node.inner);
    if (!inner || this.#real.has(inner.id)) return;
    if (inner.kind === "content") {
      const { content } = host as HTMLTemplateElement;
      if (!content) return;
      this.#real.set(inner.id, content);
    } else {
      const options = inner.options ?? {};
      try {
        const root = host.attachShadow({
          mode: inner.tag === "closed" ? "closed" : "open",
          delegatesFocus: Boolean(options.delegatesFocus),
          slotAssignment: options.slotAssignment === "manual" ? "manual" : "named",
        });
        this.#real.set(inner.id, root);
        this.roots.set(inner.id, root);
        this.#sheetsTouched = true;
      } catch {
        return; // An element that cannot have one in this browser.
      }
    }
    this.#paintChildren(inner, false);
  }

  // -- what a node is ------------------------------------------------------------------------------------------------------

  #paintOwn(node: VNode, before: VNode | undefined): void {
    const real = this.#real.get(node.id);
    if (!real) return;
    if (node.kind === "element") {
      const { shown, drawing, exact } = node.state;
      if (
        !before ||
        before.attributes !== node.attributes ||
        before.state.shown !== shown ||
        before.state.drawing !== drawing ||
        before.state.exact !== exact
      )
        this.#paintResources(node);
      if (before?.state !== node.state) this.#paintState(node, before);
      if (STYLES.has(node.tag) && before && before.attributes !== node.attributes) this.#sheetsTouched = true;
      this.#noteControl(node);
    } else if (node.kind === "text" || node.kind === "comment" || node.kind === "cdata" || node.kind === "pi") {
      const parent = this.#get(node.parent);
      if (this.#owners.has(node.id)) this.#sheetsTouched = true;
      if (parent && STYLES.has(parent.tag)) this.#styles.add(parent.id);
      else setData(real as CharacterData, this.#textOf(node, parent));
      this.#noteControl(node);
    }
  }

  #textOf(node: VNode, parent: VNode | undefined): string {
    if (node.kind === "pi") return instructionText(node);
    if (!parent) return node.data;
    return EMPTIED_ELEMENTS.has(parent.tag) || isScript(parent.tag) ? "" : node.data;
  }

  /** Gives the `<style>` elements that were touched their texts, each switched off at once: in between nothing may make the browser load what they name. */
  #paintStyleTexts(): void {
    for (const id of this.#styles) {
      const style = this.#get(id);
      if (!style) continue;
      this.#sheetsTouched = true;
      const children = style.children.flatMap((child) => this.#get(child) ?? []);
      paintStyleText(this.#real.get(id), children, (child) => this.#real.get(child));
    }
    this.#styles.clear();
  }

  #paintResources(node: VNode): void {
    const element = this.#real.get(node.id);
    if (!element || node.kind !== "element") return;
    const { attributes, whole } = paintedAttributes(node, this.resources, this.#preferences);
    if (Object.values(node.state.shown ?? {}).some((value) => value && ANIMATED_PICTURE.test(value)))
      this.#moving.add(node.id);
    this.#sheets.still?.(attributes.get("style") ?? "");
    setAttributes(element as Element, attributes);
    if (node.state.emptied && !isFilled(node)) {
      (element as HTMLImageElement).src = "";
      (element as Element).removeAttribute("src");
    }
    const drawn = this.#paintPicture(node, element as Element);
    if (whole && drawn) this.#unfinished.delete(node.id);
    else this.#unfinished.add(node.id);
  }

  /** Shows the picture that a canvas or an object has; false: it is being read. */
  #paintPicture(node: VNode, element: Element): boolean {
    if (OBJECTS.has(node.tag)) return this.embedded?.paint(element, node, (id) => this.#get(id)) !== false;
    return node.tag !== "canvas" || this.#pictures?.paint(element as HTMLCanvasElement, node) !== false;
  }

  #paintState(node: VNode, before: VNode | undefined): void {
    const real = this.#real.get(node.id);
    if (isScrolled(node)) this.#room = Number.POSITIVE_INFINITY;
    if (node.state.scroll || node.state.selected !== before?.state.selected) this.#scrolled.add(node.id); // A list shows what is selected in it.
    if (node.state.masked === undefined) this.masked.delete(node.id);
    else this.masked.add(node.id);
    if (node.state.states !== before?.state.states) {
      paintStates(real as Element, node.state.states ?? []);
      if (OBJECTS.has(node.tag)) frameObject(real as Element, mayShowDocument(real as Element));
    }
    if (node.state.canvas !== before?.state.canvas && !this.#paintPicture(node, real as Element))
      this.#unfinished.add(node.id);
    const { assigned, cues, drawing } = node.state;
    if (cues !== before?.state.cues) this.#rare.paintCues?.(real as HTMLMediaElement, cues ?? []);
    if (assigned || drawing?.scale) this.#late.add(node.id);
    if (node.state.media !== before?.state.media) this.#rare.paintMedia?.(real as HTMLMediaElement, node.state.media);
  }

  /** A control shows what its options or its text say: find the one that this node belongs to. */
  #noteControl(node: VNode): void {
    let at: VNode | undefined = node;
    for (let depth = 0; at && depth < 4; depth++) {
      if (CONTROLS.has(at.tag)) {
        this.#controls.add(at.id);
        return;
      }
      if (at.kind === "element" && at.tag !== "option" && at.tag !== "optgroup" && at !== node) return;
      at = this.#get(at.parent);
    }
  }
}

function isScrolled(node: VNode | undefined): boolean {
  const [x = 0, y = 0] = node?.state.scroll ?? [];
  return x !== 0 || y !== 0;
}

function isFresh(node: VNode): boolean {
  return !isFilled(node) && !node.state.emptied;
}
