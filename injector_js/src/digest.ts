// The page serialized afresh, in the canonical lines of docs/format.md ("Checkpoints"), and their CRC-32. It walks the live tree without
// recursion, so a page of any depth passes, and can be cut into slices: a walk that a mutation overtakes is given up by its owner. What it reads
// goes into the digest at once: lines are put together only where somebody asks for them.

import {
  attributeNames,
  CDATA_NODE,
  COMMENT_NODE,
  DOCUMENT_NODE,
  documentElement,
  ELEMENT_NODE,
  firstChild,
  hasAttributes,
  characterDataLength,
  nextSibling,
  nodeType,
  PROCESSING_INSTRUCTION_NODE,
  shadowRoot,
  TEXT_NODE,
  templateContent,
} from "./dom.ts";
import { encodeAttribute, encodeCharacterData } from "./encoding/encode.ts";
import type { ElementKindTable } from "./encoding/kinds.ts";
import { SubtreeTexts } from "./encoding/subtree-texts.ts";
import type { ModelMirror } from "./mirror.ts";
import type { MaskedFields } from "./policy.ts";
import { type FormControlStates, isFormControl } from "./state/controls.ts";

/** The receiver of the canonical lines that {@link DigestWalk} writes. */
export interface LineSink {
  /** A text, or what of it stands between two places. */
  text(text: string, from?: number, to?: number): void;
  /** A whole number in decimal digits. */
  number(value: number): void;
}

/** Those of a number, the last one first. */
const digits = new Uint8Array(10);

let made: Uint32Array | null = null;

/** What each byte does to a CRC: that of a single bit, and of several bits what each of them does. */
function table(): Uint32Array {
  if (made) return made;
  made = new Uint32Array(256);
  let crc = 1;
  for (let bit = 128; bit > 0; bit >>= 1) {
    crc = (crc >>> 1) ^ (crc & 1 && 0xedb88320);
    for (let rest = 0; rest < 256; rest += 2 * bit) made[rest + bit] = (made[rest] as number) ^ crc;
  }
  return made;
}

function step(table: Uint32Array, crc: number, byte: number): number {
  return (table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
}

/** Computes the CRC-32 (as zlib does) of texts in UTF-8, which it receives one after the other. A lone surrogate counts as U+FFFD. */
export class Crc32 implements LineSink {
  private value = -1;
  private readonly table = table();

  text(text: string, from = 0, to = text.length): void {
    const { table } = this;
    let crc = this.value;
    for (let i = from; i < to; i++) {
      let code = text.charCodeAt(i);
      if (code > 0x7f) {
        if (code > 0x7ff) {
          if ((code & 0xf800) === 0xd800) {
            const low = code < 0xdc00 && i + 1 < to ? text.charCodeAt(i + 1) : 0;
            code = (low & 0xfc00) === 0xdc00 ? (code << 10) + low - 0x35fdc00 : 0xfffd;
          }
          if (code > 0xffff) {
            i++;
            crc = step(table, crc, 0xf0 | (code >> 18));
            crc = step(table, crc, 0x80 | ((code >> 12) & 0x3f));
          } else crc = step(table, crc, 0xe0 | (code >> 12));
          crc = step(table, crc, 0x80 | ((code >> 6) & 0x3f));
        } else crc = step(table, crc, 0xc0 | (code >> 6));
        code = 0x80 | (code & 0x3f);
      }
      crc = step(table, crc, code);
    }
    this.value = crc;
  }

  number(value: number): void {
    let count = 0;
    for (let left = value; left > 0 || count === 0; left = (left / 10) | 0) digits[count++] = 48 + (left % 10);
    while (count > 0) this.value = step(this.table, this.value, digits[--count] as number);
  }

  get hex(): string {
    return (~this.value >>> 0).toString(16).padStart(8, "0");
  }
}

/** Walks over the live document and passes its canonical lines to `sink`. The walk can be divided into slices. */
export class DigestWalk {
  nodes = 0;
  /** Whether a shadow root stands there that the recording does not know. */
  late = false;
  private node: Node | null;
  /** What the next node stands in; null: the shadow root or the content of the element before it. */
  private readonly open: (Node | null)[] = [];
  /** The texts of the tree that is walked, and of those around it; null where each is asked for by itself. */
  private texts: SubtreeTexts | null = null;
  private readonly outer: (SubtreeTexts | null)[] = [];

  constructor(
    root: Document,
    private readonly sink: LineSink,
    private readonly mirror: ModelMirror,
    private readonly masks: MaskedFields,
    private readonly kinds: ElementKindTable,
    private readonly controls: FormControlStates,
  ) {
    this.node = root;
    const top = documentElement(root);
    if (top && !masks.any) this.texts = new SubtreeTexts(top);
  }

  /** Gives the lines of the next nodes, about `count` of them; false at the end. */
  next(count: number): boolean {
    let { node } = this;
    for (let left = count; left > 0 && node !== null; left--) node = this.line(node);
    this.node = node;
    return node !== null;
  }

  /** Gives a node's line; the node of the next one. */
  private line(node: Node): Node | null {
    const type = nodeType(node);
    if (type === ELEMENT_NODE) return this.element(node as Element);
    const { sink } = this;
    if (type === TEXT_NODE || type === CDATA_NODE) {
      this.begin(type === TEXT_NODE ? "T" : "X", node);
      const { texts } = this;
      if (texts) {
        const from = texts.at;
        texts.at += characterDataLength(node as CharacterData);
        sink.text(texts.whole, from, texts.at);
      } else sink.text(encodeCharacterData(node as CharacterData, this.masks));
    } else if (type === COMMENT_NODE) {
      this.begin("C", node);
      sink.text(encodeCharacterData(node as Comment, this.masks));
    } else if (type === PROCESSING_INSTRUCTION_NODE) {
      const { target, data } = node as ProcessingInstruction;
      this.begin("P", node);
      sink.text(`${target} ${data}`);
    } else if (type === DOCUMENT_NODE) {
      this.begin("D", node, "\n");
      return this.within(node, node);
    } else {
      const { name, publicId, systemId } = node as DocumentType;
      this.begin("O", node);
      sink.text(`${name}\x1f${publicId}\x1f${systemId}`);
    }
    sink.text("\n");
    return nextSibling(node) ?? this.end();
  }

  private begin(letter: string, node: Node, after = " "): void {
    const { sink } = this;
    this.nodes++;
    sink.text(letter);
    sink.number(this.mirror.idOf(node));
    sink.text(after);
  }

  private element(element: Element): Node | null {
    const { sink, texts } = this;
    const kind = this.kinds.of(element);
    this.begin("E", element);
    sink.text(kind.tag);
    if (kind.tag !== "script" && hasAttributes(element)) this.attributes(element);
    if (kind.plain && isFormControl(element)) sink.text(this.controls.digestState(element));
    sink.text("\n");
    if (kind.hides) {
      texts?.skip(element);
      return this.within(element, null);
    }
    // Any element is asked for a root, also one that should have none: nothing else looks for what is not recorded.
    const root = kind.template ? null : shadowRoot(element);
    const inner = kind.template ? templateContent(element as HTMLTemplateElement) : root;
    if (!inner) return this.within(element, element);
    this.begin(root ? "S" : "F", inner, root ? ` ${root.mode}\n` : "\n");
    this.late ||= this.mirror.idOf(inner) === 0;
    this.open.push(element);
    this.outer.push(texts);
    this.texts = texts && new SubtreeTexts(inner);
    return this.within(null, inner);
  }

  private attributes(element: Element): void {
    const { sink } = this;
    const names = attributeNames(element);
    if (names.length > 1) names.sort();
    let last = "";
    for (const name of names) {
      const value = encodeAttribute(element, name, this.masks);
      // Two of one name are of different namespaces: the first counts.
      if (value === null || name === last) continue;
      last = name;
      sink.text("\x1f");
      sink.text(name);
      sink.text("=");
      sink.text(value);
    }
  }

  /** Goes into `holder`, of which the children are those of `parent`; the first of them, or what comes after none. */
  private within(holder: Node | null, parent: Node | null): Node | null {
    this.open.push(holder);
    return (parent && firstChild(parent)) ?? this.end();
  }

  /** There are no more children of what was gone into last: the node that follows. */
  private end(): Node | null {
    const { open } = this;
    for (;;) {
      this.sink.text(")\n");
      const holder = open.pop();
      if (open.length === 0) return null;
      if (holder === null) this.texts = this.outer.pop() ?? null;
      const next = holder ? nextSibling(holder) : firstChild(open[open.length - 1] as Node);
      if (next) return next;
    }
  }
}
