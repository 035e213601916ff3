// The page at a moment as markup, for hosts whose sandbox (without `allow-same-origin`) keeps every script out of the player's frames. The markup is
// made of the same nodes and attributes as the page otherwise, by the same lists, and shows in a frame without scripts. What a script would have to
// do in that frame is left out: motion, hover and focus, scrolling within the page, drawings of canvases.

import type { Resources } from "../decode/resources.ts";
import type { DocumentLog } from "../history/document-log.ts";
import type { Recording } from "../history/recording.ts";
import { computePaintedAttributes, setAttributes } from "../paint/attributes.ts";
import { paintControl } from "../paint/controls.ts";
import { createNode } from "../paint/nodes.ts";
import { freezeMediaFeatures } from "../paint/media-preferences.ts";
import { tryToPaint } from "../paint/problems.ts";
import { getOwnedSheet } from "../paint/sheets.ts";
import { EMPTIED_ELEMENTS, removeCssUrls } from "../paint/allow-lists.ts";
import type { ModelNode } from "../state/node.ts";
import { trieGet } from "../state/trie.ts";
import { inlineBlobUrls, writeControlValue } from "./page.ts";

/** Elements whose text the parser reads as no markup, and does not decode. */
const RAW = /^(?:script|style|link|xmp|iframe|frame|noembed|noframes|noscript|plaintext|object|embed)$/i;
const FRAMES = /^i?frame$/;
/** Frames within frames. */
const DEEPEST = 5;
/** How often markup is made while what it names is being read. */
const ROUNDS = 4;

/** Shows a page at one time as static markup in an iframe. The old iframe stays visible while the next one loads. */
export class StaticPageView {
  frame: HTMLIFrameElement | undefined;
  /** Resolves when the moment asked for last shows. */
  done: Promise<void> = Promise.resolve();
  #wanted: readonly [log: DocumentLog, t: number] | undefined;
  #shown = "";
  #busy = false;
  /** Whether the markup made last has all resources that it names. */
  #whole = true;

  constructor(
    private readonly host: HTMLElement,
    private readonly recording: Recording,
    private readonly resources: Resources,
  ) {}

  paint(log: DocumentLog, t: number): void {
    this.#wanted = [log, t];
    if (this.#busy) return;
    this.#busy = true;
    this.done = this.#show().finally(() => {
      this.#busy = false;
    });
  }

  clear(): void {
    this.#wanted = undefined;
    this.frame?.remove();
    this.frame = undefined;
    this.#shown = "";
  }

  async #show(): Promise<void> {
    for (let wanted = this.#wanted; wanted; wanted = this.#wanted) {
      const [log, t] = wanted;
      const { w, h } = log.sizeAt(t);
      let page = "";
      // A sheet that was read may name pictures and other sheets.
      for (let round = 0; round < ROUNDS; round++) {
        this.#whole = true;
        page = this.#markup(log, t);
        if (this.#whole) break;
        await this.resources.settled();
      }
      const markup = await inlineBlobUrls(page, this.resources);
      if (this.#wanted === wanted) this.#wanted = undefined;
      const size = `${w}x${h}`;
      if (this.#shown === size + markup) continue;
      this.#shown = size + markup;
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "");
      frame.title = "The recorded page";
      frame.tabIndex = -1;
      frame.style.cssText = `width:${w}px;height:${h}px`;
      frame.className = "off";
      frame.srcdoc = markup;
      const loaded = new Promise((resolve) => {
        frame.onload = resolve;
        setTimeout(resolve, 3000);
      });
      this.host.append(frame);
      await loaded;
      if (!this.#shown) {
        frame.remove(); // Cleared meanwhile.
        continue;
      }
      this.frame?.remove();
      frame.className = "";
      this.frame = frame;
    }
  }

  #markup(log: DocumentLog, t: number, depth = 0): string {
    const version = log.stateAt(t);
    const { preferences } = log.sizeAt(t);
    const inert = document.implementation.createHTMLDocument("");
    const real = new Map<number, Node>();
    const styled = (text: string | undefined, media: string): HTMLStyleElement => {
      const style = inert.createElement("style");
      const css = text && this.resources.fill(text);
      if (css === undefined) this.#whole = false;
      // No text of a sheet ends the element.
      style.textContent = removeCssUrls(freezeMediaFeatures(css ?? "", preferences)).replaceAll("</", "<\\/");
      if (media) style.media = freezeMediaFeatures(media, preferences, true);
      return style;
    };
    const adopted = (id: number): HTMLStyleElement[] =>
      (version.adopted.get(id) ?? []).flatMap((number) => {
        const sheet = version.sheets.get(number);
        return sheet && !sheet.disabled ? [styled(sheet.css ?? sheet.text, sheet.media)] : [];
      });
    const fill = (parent: ParentNode, node: ModelNode): void => {
      for (const id of node.children) {
        const made = tryToPaint("still", () => make(id));
        if (made) parent.append(made);
      }
      parent.append(...adopted(node.id));
    };
    const make = (id: number): Node | undefined => {
      const node = trieGet(version.nodes, id);
      if (!node) return undefined;
      if (node.kind === "text") return inert.createTextNode(node.data);
      if (node.kind !== "element") return undefined;
      const sheet = getOwnedSheet(version, node, this.resources);
      if (sheet) return styled(sheet.text, sheet.media);
      const frame = FRAMES.test(node.tag) && depth < DEEPEST && this.recording.embeddedAt(log.d, id, t);
      if (RAW.test(node.tag.replace(/.*[|:]/, "")) && !frame) return undefined;
      const element = createNode(inert, node) as HTMLElement;
      real.set(id, element);
      const { attributes, whole } = computePaintedAttributes(node, this.resources, preferences);
      if (!whole) this.#whole = false;
      setAttributes(element, attributes);
      if (frame) {
        element.setAttribute("sandbox", "");
        element.setAttribute("srcdoc", this.#markup(frame, t, depth + 1));
        return element;
      }
      const inner = node.inner ? trieGet(version.nodes, node.inner) : undefined;
      if (inner?.kind === "shadow") {
        const root = inert.createElement("template");
        root.setAttribute("shadowrootmode", "open");
        fill(root.content, inner);
        element.append(root);
      }
      if (!EMPTIED_ELEMENTS.has(node.tag)) fill(element, node);
      if (/^(?:input|textarea|select)$/.test(node.tag)) {
        paintControl(version, node, element, (id) => real.get(id));
        for (const control of [element, ...element.querySelectorAll("option")]) writeControlValue(control, control);
      }
      return element;
    };
    const root = trieGet(version.nodes, version.root);
    const body = inert.createElement("div");
    if (root) fill(body, root);
    const [x = 0, y = 0] = root?.state.scroll ?? [];
    const scrolled = x || y ? `html{position:relative!important;left:${-x}px;top:${-y}px}` : "";
    const helper = document.getElementById("pagereel-sheet") as HTMLTemplateElement | null;
    const rules = `${helper?.content.textContent ?? ""}${scrolled}`.replaceAll("</", "<\\/");
    const doctype = version.mode === "BackCompat" ? "" : "<!DOCTYPE html>";
    return `${doctype}<meta charset=utf-8><style>${rules}</style>${body.innerHTML}`;
  }
}
