// The canonical lines of a document and their digest: a port of reel/digest.py (docs/format.md, "Checkpoints").

import { formatCrcAsHex, updateCrc } from "../decode/crc.ts";
import type { DocumentVersion } from "./document-version.ts";
import {
  CONTROL_ELEMENTS,
  getInputType,
  isChecked,
  isCheckable,
  getSelectedIndexes,
  getControlValue,
} from "./forms.ts";
import type { ModelNode } from "./node.ts";
import { trieGet } from "./trie.ts";

/**
 * Returns the digest of a document, which is the CRC-32 of its lines as eight hex digits, and the number of its
 * nodes.
 */
export function digestDocument(version: DocumentVersion): { digest: string; nodes: number } {
  const encoder = new TextEncoder();
  let crc = -1;
  let nodes = 0;
  for (const line of iterDigestLines(version)) {
    if (line !== ")\n" && line[0] !== "Y" && line[0] !== "A") nodes += 1;
    crc = updateCrc(crc, encoder.encode(line));
  }
  return { digest: formatCrcAsHex(crc), nodes };
}

/** Yields the lines of text over which a document's digest is computed (docs/format.md). */
export function* iterDigestLines(version: DocumentVersion): Generator<string> {
  const root = trieGet(version.nodes, version.root);
  if (root) yield* treeLines(version, root);
  for (const number of [...version.sheets.keys()].sort((a, b) => a - b)) {
    const sheet = version.sheets.get(number);
    if (sheet) yield `Y${number} ${sheet.owner} ${sheet.text}\n`;
  }
  for (const id of [...version.adopted.keys()].sort((a, b) => a - b)) {
    const sheets = version.adopted.get(id) ?? [];
    if (sheets.length) yield `A${id} ${sheets.join(",")}\n`;
  }
}

function* treeLines(version: DocumentVersion, root: ModelNode): Generator<string> {
  // A stack of our own: documents can be deeper than the engine's.
  const stack: Array<ModelNode | null> = [root];
  while (stack.length) {
    const node = stack.pop();
    if (!node) {
      yield ")\n";
      continue;
    }
    yield nodeLine(version, node);
    if (
      node.kind === "text" ||
      node.kind === "comment" ||
      node.kind === "cdata" ||
      node.kind === "pi" ||
      node.kind === "doctype"
    )
      continue;
    stack.push(null);
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = trieGet(version.nodes, node.children[index] as number);
      if (child) stack.push(child);
    }
    const inner = node.inner ? trieGet(version.nodes, node.inner) : undefined;
    if (inner) stack.push(inner);
  }
}

function nodeLine(version: DocumentVersion, node: ModelNode): string {
  switch (node.kind) {
    case "element":
      return elementLine(version, node);
    case "text":
      return `T${node.id} ${node.data}\n`;
    case "comment":
      return `C${node.id} ${node.data}\n`;
    case "cdata":
      return `X${node.id} ${node.data}\n`;
    case "pi":
      return `P${node.id} ${node.tag} ${node.data}\n`;
    case "doctype":
      return `O${node.id} ${node.tag}\x1f${node.data}\n`;
    case "shadow":
      return `S${node.id} ${node.tag}\n`;
    case "content":
      return `F${node.id}\n`;
    case "document":
      return `D${node.id}\n`;
  }
}

function elementLine(version: DocumentVersion, node: ModelNode): string {
  let line = `E${node.id} ${node.tag}`;
  for (const name of Object.keys(node.attributes).sort()) line += `\x1f${name}=${node.attributes[name]}`;
  return CONTROL_ELEMENTS.has(node.tag) ? `${line}${stateOf(version, node)}\n` : `${line}\n`;
}

function stateOf(version: DocumentVersion, node: ModelNode): string {
  if (node.tag === "select") return `\x1es${getSelectedIndexes(version, node).join(",")}`;
  if (node.tag === "textarea") return `\x1ev${getControlValue(version, node)}`;
  const state = isCheckable(node) ? `\x1ec${isChecked(node) ? 1 : 0}` : `\x1ev${getControlValue(version, node)}`;
  return node.state.indeterminate && getInputType(node) ? `${state}\x1ei1` : state;
}
