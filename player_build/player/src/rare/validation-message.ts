// The browser's own message beside an invalid field, as Chromium draws it: over the page, and no part of it. Measures are those of its
// validation_bubble.css and ValidationMessageOverlayDelegate::AdjustBubblePosition.

import type { PlacedDocument } from "../paint/stage.ts";

/** px from the message's side to the middle of its arrow, at least; and from the field's side to where the arrow points. */
const ARROW = 18;
const AIM = 8;
const SIGN =
  '<svg width="23" height="23"><path fill="#ed5d00" d="M2 0h19q2 0 2 2v19q0 2-2 2H2q-2 0-2-2V2q0-2 2-2z"/><path fill="#fff" d="M9.750 4.850h3.500v7.250h-3.500zM9.800 16.100a1.700 1.350 0 1 0 3.400 0 1.700 1.350 0 1 0-3.400 0"/></svg>';

/** Draws the browser's validation message beside an invalid field. */
export class ValidationMessage {
  readonly #element = document.createElement("div");

  constructor() {
    this.#element.className = "bubble";
    this.#element.innerHTML = `<div>${SIGN}<p dir="auto"></p><p dir="auto"></p></div><i></i><i></i>`;
  }

  clear(): void {
    this.#element.remove();
  }

  paint(host: HTMLElement, documents: Iterable<PlacedDocument>): void {
    this.clear();
    for (const { view, x, y } of documents) {
      const [id, ...lines] = view.current.bubble;
      const field = view.node(id) as Element | undefined;
      if (field?.nodeType === Node.ELEMENT_NODE) this.#show(host, field.getBoundingClientRect(), x, y, lines);
    }
  }

  #show(host: HTMLElement, box: DOMRect, x: number, y: number, lines: readonly string[]): void {
    const bubble = this.#element;
    const { style } = bubble;
    const [left, right] = [Math.round(box.left + x), Math.round(box.right + x)];
    const [top, bottom] = [Math.round(box.top + y), Math.round(box.bottom + y)];
    const { clientWidth, clientHeight } = host;
    if (bottom <= 0 || right <= 0 || left >= clientWidth || top >= clientHeight || top === bottom) return;
    bubble.querySelectorAll("p").forEach((p, i) => {
      p.textContent = lines[i] as string;
    });
    style.cssText = "left:0";
    host.append(bubble);
    const [w, h] = [Math.ceil(bubble.clientWidth), bubble.clientHeight];
    const up = clientHeight - bottom < h;
    const middle = left + Math.floor((right - left) / 2);
    const at = Math.max(0, Math.min(middle - Math.floor(w / 2), clientWidth - w));
    const aim = Math.min(Math.max(ARROW, Math.min(left + AIM, middle) - at), w - ARROW);
    bubble.classList.toggle("up", up);
    style.cssText = `left:${at}px;top:${up ? top - h : bottom}px;min-width:${w}px;--at:${aim - AIM}px`;
  }
}
