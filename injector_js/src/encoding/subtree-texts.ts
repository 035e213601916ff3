// The text of a tree, read at once. For each text that a script asks for, the browser makes a string of its own, and the collector has to
// see to it later; that is a fifth of what a new table costs. Its length is a number and costs nothing, so from the second text on they are cut
// out of the text content of the whole: <https://dom.spec.whatwg.org/#concept-descendant-text-content>.

import {
  CDATA_NODE,
  getCharacterData,
  ELEMENT_NODE,
  firstChild,
  characterDataLength,
  nextSibling,
  nodeType,
  TEXT_NODE,
  textContent,
} from "../dom.ts";

/** Reads the texts below one node, in the order of the tree. The tree must not change meanwhile. */
export class SubtreeTexts {
  private all: string | null = null;
  private first = true;
  /** The characters before the next text. */
  at = 0;

  constructor(private readonly top: Node) {}

  /** The next text; every one before it was given or skipped. */
  next(text: CharacterData): string {
    if (this.first) {
      this.first = false;
      const alone = getCharacterData(text);
      this.at += alone.length;
      return alone;
    }
    const from = this.at;
    this.at += characterDataLength(text);
    return this.whole.slice(from, this.at);
  }

  /** All of them. */
  get whole(): string {
    this.all ??= textContent(this.top) ?? "";
    return this.all;
  }

  /** Skips what stands below a node of which no text has been given. */
  skip(node: Node): void {
    for (let child = firstChild(node); child !== null; child = nextSibling(child)) {
      const type = nodeType(child);
      if (type === TEXT_NODE || type === CDATA_NODE) this.at += characterDataLength(child as CharacterData);
      else if (type === ELEMENT_NODE) this.at += textContent(child)?.length ?? 0;
    }
  }
}
