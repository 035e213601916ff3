// The page serialized afresh, in the canonical lines of docs/format.md ("Checkpoints"), and their CRC-32. It walks the live tree without
// recursion, so a page of any depth passes, and can be cut into slices: a walk that a mutation overtakes is given up by its owner.

import {
  CDATA,
  COMMENT,
  DOCTYPE,
  DOCUMENT,
  ELEMENT,
  firstChild,
  isHTML,
  localName,
  nextSibling,
  nodeType,
  PI,
  shadowRoot,
  TEXT,
  tagOf,
  templateContent,
} from "./dom.ts";
import { encodeAttributes, encodeData } from "./encoding/encode.ts";
import type { Mirror } from "./mirror.ts";
import { hidesChildren, type Masks } from "./policy.ts";
import { type Controls, isControl } from "./state/controls.ts";

let made: Uint32Array | null = null;

function table(): Uint32Array {
  if (made) return made;
  made = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    made[n] = c;
  }
  return made;
}

/** CRC-32 as zlib computes it, over UTF-8, fed piece by piece. */
export class Crc32 {
  private value = 0xffffffff;
  private readonly encoder = new TextEncoder();
  private readonly table = table();

  update(text: string): void {
    const bytes = this.encoder.encode(text);
    const { table } = this;
    let crc = this.value;
    for (let i = 0; i < bytes.length; i++) crc = (table[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
    this.value = crc;
  }

  get hex(): string {
    return ((this.value ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
  }
}

/** A walk over the live document that yields its lines, piece by piece. */
export class Walk {
  nodes = 0;
  private readonly stack: (Node | null)[] = [];
  /** Containers opened and not closed: one mark for each level of the stack. */
  private started = false;

  constructor(
    private readonly root: Document,
    private readonly mirror: Mirror,
    private readonly masks: Masks,
    private readonly controls: Controls,
  ) {}

  /** The lines of the next nodes, about `count` of them; null at the end. */
  next(count: number): string | null {
    if (!this.started) {
      this.started = true;
      this.stack.push(this.root);
    } else if (this.stack.length === 0) return null;
    let lines = "";
    for (let left = count; left > 0 && this.stack.length > 0; left--) {
      const node = this.stack.pop() as Node | null;
      if (node === null) {
        lines += ")\n";
        continue;
      }
      lines += this.line(node);
    }
    return lines;
  }

  private line(node: Node): string {
    this.nodes++;
    const id = this.mirror.idOf(node);
    switch (nodeType(node)) {
      case ELEMENT:
        return this.element(node as Element, id);
      case TEXT:
        return `T${id} ${encodeData(node as Text, this.masks)}\n`;
      case COMMENT:
        return `C${id} ${encodeData(node as Comment, this.masks)}\n`;
      case CDATA:
        return `X${id} ${encodeData(node as CDATASection, this.masks)}\n`;
      case PI: {
        const pi = node as ProcessingInstruction;
        return `P${id} ${pi.target} ${pi.data}\n`;
      }
      case DOCTYPE: {
        const type = node as DocumentType;
        return `O${id} ${type.name}\x1f${type.publicId}\x1f${type.systemId}\n`;
      }
      case DOCUMENT:
        this.open(node);
        return `D${id}\n`;
      default:
        this.open(node);
        return node instanceof ShadowRoot ? `S${id} ${node.mode}\n` : `F${id}\n`;
    }
  }

  private element(element: Element, id: number): string {
    const name = localName(element);
    let line = `E${id} ${tagOf(element, name)}`;
    const attributes = encodeAttributes(element, name, this.masks);
    const names = Object.keys(attributes);
    if (names.length > 1) names.sort();
    for (const key of names) line += `\x1f${key}=${attributes[key]}`;
    if (isControl(element)) line += this.controls.digestState(element);
    this.open(element);
    return `${line}\n`;
  }

  private open(node: Node): void {
    this.stack.push(null);
    if (nodeType(node) === ELEMENT) {
      const element = node as Element;
      if (hidesChildren(localName(element))) return;
      this.pushChildren(element);
      const root = shadowRoot(element);
      if (root) this.stack.push(root);
      if (isHTML(element, "template")) this.stack.push(templateContent(element as HTMLTemplateElement));
      return;
    }
    this.pushChildren(node);
  }

  private pushChildren(node: Node): void {
    const from = this.stack.length;
    for (let child = firstChild(node); child; child = nextSibling(child)) this.stack.push(child);
    // The stack gives the last first.
    for (let i = from, j = this.stack.length - 1; i < j; i++, j--) {
      const swap = this.stack[i] as Node | null;
      this.stack[i] = this.stack[j] as Node | null;
      this.stack[j] = swap;
    }
  }
}
