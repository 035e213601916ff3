// Where the focus is, and what is selected.

import {
  activeElement,
  getSelection,
  hasFocus,
  isHtmlElementNamed,
  localName,
  matches,
  shadowActiveElement,
  shadowRoot,
} from "../dom.ts";
import type { Op } from "../encoding/ops.ts";
import type { MaskedFields } from "../policy.ts";
import type { StatePart } from "./part.ts";

/** Whether the browser shows a ring there: it knows how the focus came, by key, by pointer or by script. */
function isVisible(element: Element): boolean {
  try {
    return matches(element, ":focus-visible");
  } catch {
    return false; // A browser that does not know the pseudo-class shows none for it.
  }
}

/** How what is selected is noted where nothing is; where something is, its first id is larger. */
const NOTHING = "selection,0,0,0,0";

type Selected = Op & ["selection", ...unknown[]];
type Field = HTMLInputElement | HTMLTextAreaElement;

export class FocusAndSelection implements StatePart {
  private focused = 0;
  element: Element | null = null;
  private visible = false;
  private selected = "";
  private selectionChanged = true;

  /** What an input method has written of a text that it is composing. */
  private composed = "";
  /** Whether the last key went to an input method. */
  byKeys = false;

  constructor(
    private readonly document: Document,
    /** Ids of nodes, of whose end it is told. */
    private readonly idOf: (node: Node) => number,
    private readonly masks: MaskedFields,
  ) {}

  /** In a document that has only begun nothing is selected; asking would make the world's objects for it. */
  begins(): void {
    this.selectionChanged = false;
  }

  /** The browser says that the selection is another now. */
  selection(): void {
    this.selectionChanged = true;
  }

  /** An input method has begun, gone on, or ended (""). */
  composing(text: string): void {
    this.composed = text;
    this.selectionChanged = true;
  }

  forget(id: number): void {
    if (this.focused !== id) return;
    this.focused = 0;
    this.element = null;
  }

  clear(): void {
    this.focused = 0;
    this.element = null;
    this.selected = "";
    this.selectionChanged = true;
  }

  collect(ops: Op[]): void {
    this.collectFocus(ops);
    // No event tells that nodes with an end of the selection were moved or taken out, which changes it.
    if (this.selectionChanged || (ops.length > 0 && this.selected > NOTHING)) this.collectSelection(ops);
  }

  private collectFocus(ops: Op[]): void {
    let element = activeElement(this.document);
    for (let root = element && shadowRoot(element); root; root = element && shadowRoot(element)) {
      const inner = shadowActiveElement(root);
      if (!inner) break;
      element = inner;
    }
    const nowhere =
      !element || localName(element) === "body" || localName(element) === "html" || !hasFocus(this.document);
    const id = nowhere ? 0 : this.idOf(element as Element);
    const visible = id !== 0 && isVisible(element as Element);
    if (id === this.focused && visible === this.visible) return;
    if (id !== this.focused) this.selectionChanged = true;
    this.focused = id;
    this.element = id === 0 ? null : element;
    this.visible = visible;
    ops.push(id === 0 ? ["focus", 0] : ["focus", id, visible ? 1 : 0]);
  }

  private collectSelection(ops: Op[]): void {
    this.selectionChanged = false;
    const selection = getSelection(this.document);
    let op: Selected = ["selection", 0, 0, 0, 0];
    if (selection?.anchorNode && selection.focusNode) {
      const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = selection;
      const [anchor, focus] = [this.idOf(anchorNode), this.idOf(focusNode)];
      if (anchor !== 0 && focus !== 0) {
        if (!isCollapsed) op = ["selection", anchor, anchorOffset, focus, focusOffset];
        op = this.composition(focus, focusNode.nodeValue, focusOffset) ?? op;
      }
    }
    const field = this.element;
    if (field && (isHtmlElementNamed(field, "input") || isHtmlElementNamed(field, "textarea")))
      op = this.within(field as Field) ?? op;
    const key = op.join();
    if (key === this.selected || (this.selected === "" && op[1] === 0)) return;
    this.selected = key;
    ops.push(op);
  }

  /** What is selected in the field that has the focus. Where its value is masked, the offsets would tell how long it is. */
  private within(field: Field): Selected | null {
    const { selectionStart: start, selectionEnd: end, value } = field;
    if (start === null || end === null || this.masks.reason(field)) return null;
    const selected: Selected | null = start === end ? null : ["selection", this.focused, start, this.focused, end];
    return this.composition(this.focused, value, end) ?? selected;
  }

  /** What is being composed, with the caret in it or at its end. */
  private composition(id: number, text: string | null, caret: number): Selected | null {
    const { length } = this.composed;
    const from = length === 0 || !text ? -1 : text.indexOf(this.composed, Math.max(0, caret - length));
    return from < 0 || from > caret ? null : ["selection", id, from, id, from + length, this.byKeys ? 1 : 2];
  }
}
