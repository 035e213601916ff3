// The place where the recorded pages show: one sandboxed frame for a page's document, and within it frames for the documents that it embeds.

import type { Resources } from "../decode/resources.ts";
import type { StaticPageView } from "../export/static-page-view.ts";
import type { DocumentLog } from "../history/document-log.ts";
import type { Recording } from "../history/recording.ts";
import { loadScript } from "../script-loading.ts";
import type { AreaFocusRing } from "../rare/area-focus-ring.ts";
import type { ValidationMessage } from "../rare/validation-message.ts";
import { SVG_NAMESPACE } from "../state/node.ts";
import type { DocumentVersion } from "../state/document-version.ts";
import { clearFramedDocument, getFramedDocument, openFramedDocument } from "./framed-documents.ts";
import { FRAMED_ATTRIBUTE, type FramingElement, setObjectFramed } from "./framed-documents.ts";
import {
  iterEventPath,
  type PseudoClassMarker,
  PseudoClassMarkers,
  addMarker,
  acceptsText,
  iterHoveredElements,
} from "./pseudo-class-markers.ts";
import { hasForcedColors } from "./media-preferences.ts";
import { replaceLoadedVideos, seekPaintedDocument } from "./playback.ts";
import { tryToPaint, paintProblems } from "./problems.ts";
import { paintAllScrollOffsets } from "./scrolling.ts";
import { DocumentView } from "./view.ts";

/** Frames kept ready for going back and forth between documents. */
const KEPT = 3;

/** How long seek() waits for pictures and fonts, ms. */
const PATIENCE = 3000;

/** Looks, a frame's time apart, at a page that cannot be scrolled as far as it was: a picture that a rule names tells nobody when it has come. */
const LOOKS = 12;

/** What the reader is told of pages that are painted as markup. */
const SANDBOXED =
  "This host keeps scripts out of frames, so pages are still pictures. Save the file and open it in a browser to see and save all.";

const FRAMES = /^i?frame$/;

/** Chromium shows a PDF by a page of its own, which is not the recorded page's. */
const PDF_VIEWER = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/";

interface Shown {
  readonly log: DocumentLog;
  readonly frame: FramingElement;
  readonly mode: string;
  readonly document: Document;
  readonly view: DocumentView;
  readonly markers: PseudoClassMarkers;
  readonly children: Map<number, Shown>;
  /** The version whose animations were looked at. */
  moved?: DocumentVersion | undefined;
}

/** A document on the stage; `x` and `y` are the offset of its viewport in the page's viewport, in px. */
export interface PlacedDocument {
  readonly log: DocumentLog;
  readonly x: number;
  readonly y: number;
  readonly document: Document;
  readonly view: DocumentView;
}

/** The area in which the player shows a recorded page, with the iframes that hold its documents. */
export class Stage {
  #kept: Shown[] = [];
  #current: Shown | undefined;
  /** Shows pages where no script may look into a frame. */
  #still: StaticPageView | undefined;
  #stillLog: DocumentLog | undefined;
  /** Counts paintings: what waits for one to settle is over with the next. */
  #turn = 0;
  #timer = 0;
  readonly #rare = loadScript("rare");
  /** What is drawn over the pages. */
  readonly #over: ReadonlyArray<AreaFocusRing | ValidationMessage>;

  constructor(
    private readonly host: HTMLElement,
    private readonly recording: Recording,
    private readonly resources: Resources,
  ) {
    const { AreaFocusRing, ValidationMessage } = this.#rare;
    this.#over = AreaFocusRing && ValidationMessage ? [new ValidationMessage(), new AreaFocusRing()] : [];
  }

  get frame(): HTMLIFrameElement | null {
    return (this.#current?.frame as HTMLIFrameElement | undefined) ?? this.#still?.frame ?? null;
  }

  /** What the reader is told where pages are painted as markup, which is still; empty elsewhere. */
  get still(): string {
    return this.#still ? SANDBOXED : "";
  }

  get log(): DocumentLog | undefined {
    return this.#current?.log ?? this.#stillLog;
  }

  /** Shows `page` as it was at `t`; with `look`, of a document that was not shown before, what is in sight. */
  paint(page: number, t: number, look = false): void {
    this.#turn += 1;
    this.resources.films?.tick(t);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.settled(t), 200);
    const log = this.recording.documentAt(page, t);
    this.#stillLog = undefined;
    if (!log) {
      this.#still?.clear();
      this.#select(undefined);
      return;
    }
    if (this.#still) {
      this.#paintStill(log, t);
      return;
    }
    const mode = modeOf(log, t, look);
    let shown = this.#kept.find((item) => item.log === log && item.mode === mode && isThere(item));
    if (!shown) {
      const frame = this.#makeFrame();
      shown = this.#open(frame, log, mode);
      if (!shown) {
        frame.remove();
        this.#paintStill(log, t);
        return;
      }
      this.#kept.push(shown);
    }
    this.#select(shown);
    const size = log.sizeAt(t);
    shown.frame.style.width = `${size.w}px`;
    shown.frame.style.height = `${size.h}px`;
    shown.frame.style.colorScheme = size.preferences.scheme; // What queries within it, of images too, then see.
    const active = document.activeElement;
    tryToPaint("page", () => this.#paintShown(shown, t, look));
    this.#place(shown, t);
    // A dialog that opens, and a selection in a field, take the focus into the frame, where no key of the player's is heard. `#bare` has none,
    // and lets the field have it.
    const taken = document.activeElement;
    if (taken === active || !(taken instanceof HTMLIFrameElement)) return;
    if (shown.view.field && document.querySelector(".bare")) return;
    taken.blur();
    if (active instanceof HTMLElement) active.focus({ preventScroll: true });
  }

  #paintStill(log: DocumentLog, t: number): void {
    const { StaticPageView } = loadScript("export");
    this.#still ??= StaticPageView && new StaticPageView(this.host, this.recording, this.resources);
    this.#stillLog = log;
    this.#still?.paint(log, t);
    paintProblems.add(SANDBOXED);
  }

  /** The element of document `d` that is node `id`, if it is on the stage. */
  find(d: number, id: number): { element: Element; box: DOMRect } | undefined {
    for (const { log, view, x, y } of this.documents()) {
      if (log.d !== d) continue;
      const node = view.node(id);
      const element = elementOf(node) ?? node?.parentElement;
      if (!element) return undefined;
      const box = element.getBoundingClientRect();
      return { element, box: new DOMRect(box.x + x, box.y + y, box.width, box.height) };
    }
    return undefined;
  }

  /** The documents on the stage with the offset of their viewports in the page's. */
  *documents(): Generator<PlacedDocument> {
    function* visit(shown: Shown, x: number, y: number): Generator<PlacedDocument> {
      yield { log: shown.log, x, y, document: shown.document, view: shown.view };
      for (const child of shown.children.values()) {
        const box = child.frame.getBoundingClientRect();
        yield* visit(child, x + box.x + child.frame.clientLeft, y + box.y + child.frame.clientTop);
      }
    }
    if (this.#current) yield* visit(this.#current, 0, 0);
  }

  /** The topmost element at a point of the page's viewport. */
  at(x: number, y: number): { d: number; id: number } | undefined {
    const look = (shown: Shown, x: number, y: number): { d: number; id: number } | undefined => {
      let element = shown.document.elementFromPoint(x, y);
      for (const child of shown.children.values()) {
        if (child.frame !== element) continue;
        const box = child.frame.getBoundingClientRect();
        const inner = look(child, x - box.x - child.frame.clientLeft, y - box.y - child.frame.clientTop);
        if (inner) return inner;
      }
      while (element?.shadowRoot) {
        const deeper = element.shadowRoot.elementFromPoint(x, y);
        if (!deeper || deeper === element) break;
        element = deeper;
      }
      const id = element && shown.view.idOf(element);
      return id ? { d: shown.log.d, id } : undefined;
    };
    return this.#current && look(this.#current, x, y);
  }

  /** Whether a first look at a document stands, and the rest of it is to be painted. */
  get isLook(): boolean {
    return [...this.documents()].some(({ view }) => view.isLook);
  }

  /** Whether everything on the stage has its resources. */
  get whole(): boolean {
    const check = (shown: Shown): boolean => shown.view.whole && [...shown.children.values()].every(check);
    return !this.#current || (check(this.#current) && !this.resources.films?.pending);
  }

  /**
   * Resolves when pictures and fonts are decoded, audio and video stand where they stood at `t`, what they move is in its place again, and the
   * frame was painted.
   */
  async settled(t: number): Promise<void> {
    window.clearTimeout(this.#timer);
    const turn = this.#turn;
    await this.#still?.done;
    const end = performance.now() + PATIENCE;
    for (let look = 0; look < LOOKS; look++) {
      await Promise.race([this.#arrived(t), new Promise((go) => setTimeout(go, end - performance.now()))]);
      if (turn !== this.#turn || !this.#current) break;
      this.#place(this.#current, t);
      await waitUntilPainted();
      // A browser finds out what it need not skip any more a frame later, and shows it with the next.
      for (const { view } of this.documents()) if (view.skips) await waitUntilPainted();
      if (turn !== this.#turn || !this.#current) break;
      // What was scrolled to may look otherwise, and what looks otherwise may lie elsewhere: it holds when a frame has changed nothing. Then
      // that frame is what was waited for.
      if (this.#place(this.#current, t)) return;
      if (look === LOOKS - 1) for (const { view } of this.documents()) paintAllScrollOffsets(view, true);
    }
    await waitUntilPainted();
  }

  /** Resolves when what the documents on the stage have named so far is there. */
  async #arrived(t: number): Promise<void> {
    const { waitForCanvases, waitForMedia } = this.#rare;
    const work: Array<Promise<unknown> | undefined> = [waitForCanvases?.()];
    for (const { document, view } of this.documents()) {
      void document.documentElement?.clientHeight; // Fonts are asked for when text is laid out.
      work.push(document.fonts.ready);
      for (const image of view.pictures()) work.push(image.decode().catch(() => {}));
      if (view.media.size === 0 || !waitForMedia) continue;
      const all = (): Promise<unknown> => Promise.all([...view.media.values()].map(waitForMedia));
      const shown = async (): Promise<void> => {
        await all();
        await replaceLoadedVideos(view);
        seekPaintedDocument(view, t, false);
        await all();
      };
      work.push(shown());
    }
    await Promise.all(work);
  }

  #makeFrame(): HTMLIFrameElement {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-same-origin");
    frame.setAttribute("title", "The recorded page");
    frame.setAttribute("scrolling", "auto");
    frame.tabIndex = -1;
    this.host.append(frame);
    return frame;
  }

  #open(frame: FramingElement, log: DocumentLog, mode: string): Shown | undefined {
    const document = openFramedDocument(frame, mode);
    if (!document) return undefined;
    return {
      log,
      frame,
      mode,
      document,
      view: new DocumentView(document, this.resources),
      markers: new PseudoClassMarkers(),
      children: new Map(),
    };
  }

  #select(shown: Shown | undefined): void {
    for (const one of this.#over) one.clear();
    this.#current = shown;
    if (shown) this.#kept = [...this.#kept.filter((item) => item !== shown), shown];
    while (this.#kept.length > KEPT) this.#kept.shift()?.frame.remove();
    for (const item of this.#kept) item.frame.classList.toggle("off", item !== shown);
  }

  #paintShown(shown: Shown, t: number, look = false): void {
    const version = shown.log.stateAt(t, look);
    shown.view.paint(version, shown.log.sizeAt(t).preferences, look);
    for (const [id, child] of shown.children) {
      if (shown.view.frames.get(id) !== child.frame) shown.children.delete(id);
    }
    for (const [id, frame] of shown.view.frames) {
      const log = this.recording.embeddedAt(shown.log.d, id, t);
      const isPdf = !!log?.urlAt(t).startsWith(PDF_VIEWER);
      const isObject = !("srcdoc" in frame);
      frame.toggleAttribute("data-pagereel-pdf", isPdf);
      const shows = log && !isPdf && (!isObject || frame.hasAttribute(FRAMED_ATTRIBUTE));
      if (isObject) setObjectFramed(frame, !!shows);
      if (!shows || !frame.isConnected) {
        if (shown.children.delete(id) && frame.isConnected) clearFramedDocument(frame);
        continue;
      }
      let child = shown.children.get(id);
      const mode = modeOf(log, t, look);
      // A frame that was moved has lost its document.
      if (!child || child.log !== log || child.mode !== mode || !isThere(child)) {
        child = this.#open(frame, log, mode);
        if (!child) continue;
        shown.children.set(id, child);
      }
      const inner = child;
      tryToPaint("frame", () => this.#paintShown(inner, t, look));
      if (isObject) shown.view.embedded?.fit(frame, inner.document.documentElement);
    }
  }

  // -- what depends on the whole ------------------------------------------------------------------------------------------

  /**
   * Paints what the tree alone does not give: pseudo-classes, moments of motion, scroll offsets, in the order in which one gives the next its
   * room. Whether it all stood so before.
   */
  #place(top: Shown, t: number): boolean {
    let stands = true;
    const visit = (shown: Shown, focused: boolean): void => {
      const wanted = new Map<Element, Set<PseudoClassMarker>>();
      const { log, view } = shown;
      const [hover, active, target] = (view.current.pointed ?? []).map((id) => elementOf(view.node(id)));
      const over = hover === undefined ? this.#underPointer(shown, t) : hover;
      for (const element of over ? iterHoveredElements(over) : []) {
        addMarker(wanted, element, "hover");
        // The browser's own rules for it: player_build/helper.css.j2.
        const base = element.tagName === "SELECT" && getComputedStyle(element).appearance === "base-select";
        if (base) addMarker(wanted, element, "base");
      }
      const pressed = active === undefined ? elementOf(view.node(log.pressedAt(t))) : active;
      if (pressed) for (const element of iterHoveredElements(pressed)) addMarker(wanted, element, "active");
      const aim = target === undefined ? targetOf(shown.document, log.urlAt(t)) : target;
      if (aim) addMarker(wanted, aim, "target");
      const focus = elementOf(view.node(view.current.focus));
      if (focus) {
        addMarker(wanted, focus, "focus");
        for (const host of view.hosts(view.current.focus)) addMarker(wanted, host, "focus");
        const visible = view.current.focusVisible ?? (log.keyboardAt(t) || acceptsText(focus));
        if (visible) addMarker(wanted, focus, "focus-visible");
        // Chromium's own rule for SVG asks for the focus alone.
        if (visible || focus.namespaceURI === SVG_NAMESPACE) addMarker(wanted, focus, view.ring(view.current.focus));
        for (const element of iterEventPath(focus)) addMarker(wanted, element, "focus-within");
        const composed = view.current.selection[4];
        if (composed) addMarker(wanted, focus, composed === 1 ? "composing" : "composed");
      }
      for (const [id, how] of view.current.layer) {
        const element = how === "fullscreen" ? elementOf(view.node(id)) : null;
        if (element) addMarker(wanted, element, "fullscreen");
      }
      // What is selected in a document is grey while another one has the focus.
      const root = shown.document.documentElement;
      if (root && view.current.selection[0] && !(focused && !FRAMES.test(focus?.localName ?? "")))
        addMarker(wanted, root, "unfocused");
      if (hasForcedColors(log.sizeAt(t).preferences))
        for (const root of view.roots.values())
          for (const element of root.querySelectorAll("*"))
            if (getComputedStyle(element).forcedColorAdjust === "none") addMarker(wanted, element, "unforced");
      const marked = shown.markers.paint(wanted);
      seekPaintedDocument(view, t, marked || shown.moved !== view.current);
      shown.moved = view.isLook ? undefined : view.current;
      if (!paintAllScrollOffsets(view) || marked) stands = false;
      for (const child of shown.children.values())
        tryToPaint("frame", () => visit(child, focused && child.frame === focus));
    };
    tryToPaint("page", () => visit(top, true));
    for (const one of this.#over) tryToPaint("over", () => one.paint(this.host, this.documents()));
    return stands;
  }

  /** What the pointer is over, where the recording does not say it: what lies at its last place. */
  #underPointer(shown: Shown, t: number): Element | null {
    const sample = shown.log.pointerAt(t);
    if (!sample) return null;
    paintAllScrollOffsets(shown.view);
    // The pointer is in one document at a time: where it was seen last.
    for (const other of this.documents()) {
      const seen = other.log === shown.log ? undefined : other.log.pointerAt(t);
      if (seen && seen.t > sample.t && !isInside(shown, other.log)) return null;
    }
    let element: Element | null = shown.document.elementFromPoint(sample.x, sample.y);
    while (element?.shadowRoot) {
      const deeper = element.shadowRoot.elementFromPoint(sample.x, sample.y);
      if (!deeper || deeper === element) break;
      element = deeper;
    }
    return element;
  }
}

/** Whether `log` is shown within `shown`: then the pointer is over both. */
function isInside(shown: Shown, log: DocumentLog): boolean {
  for (const child of shown.children.values()) if (child.log === log || isInside(child, log)) return true;
  return false;
}

/** Whether a frame still has the document that was opened in it. */
function isThere(shown: Shown): boolean {
  return getFramedDocument(shown.frame) === shown.document;
}

function modeOf(log: DocumentLog, t: number, look: boolean): string {
  return log.stateAt(t, look).mode || log.mode;
}

function elementOf(node: Node | undefined): Element | null {
  return node?.nodeType === Node.ELEMENT_NODE ? (node as Element) : null;
}

function targetOf(document: Document, url: string): Element | null {
  const hash = url.indexOf("#");
  if (hash < 0 || hash === url.length - 1) return null;
  const fragment = url.slice(hash + 1);
  try {
    return document.getElementById(fragment) ?? document.getElementById(decodeURIComponent(fragment));
  } catch {
    return null;
  }
}

/**
 * Resolves when the browser has painted: after two animation frames, or after 100 ms in a hidden tab, which paints
 * none.
 */
export async function waitUntilPainted(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
