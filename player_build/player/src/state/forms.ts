// The state of form controls that the tree alone does not show, with the defaults while no op said otherwise:
// a port of reel/form_controls.py (docs/format.md, "Checkpoints").

import type { DocumentVersion } from "./document-version.ts";
import type { ModelNode } from "./node.ts";
import { trieGet } from "./trie.ts";

/** The text shown for a value that was masked when it was recorded. */
export const MASKED_VALUE_TEXT = "\u2022\u2022\u2022\u2022\u2022";

export const CONTROL_ELEMENTS: ReadonlySet<string> = new Set(["input", "textarea", "select"]);

const HOLDS_NO_OPTIONS: ReadonlySet<string> = new Set(["option", "select", "hr", "datalist"]);

/** Returns the type of an `<input>`, in lower case. */
export function getInputType(node: ModelNode): string {
  const type = node.attributes.type ?? "text";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII only, as in HTML.
  return /^[\x00-\x7f]*$/.test(type) ? type.toLowerCase() : type;
}

/** Returns whether a node is a checkbox or a radio button. */
export function isCheckable(node: ModelNode): boolean {
  const type = node.tag === "input" ? getInputType(node) : "";
  return type === "checkbox" || type === "radio";
}

/** Returns the present value of a `<textarea>` or an `<input>` that is neither a checkbox nor a radio button. */
export function getControlValue(version: DocumentVersion, node: ModelNode): string {
  if (node.state.value !== undefined) return node.state.value;
  const value = node.tag === "textarea" ? getTextContent(version, node) : (node.attributes.value ?? "");
  return value && node.state.masked !== undefined ? MASKED_VALUE_TEXT : value;
}

/** Returns whether a checkbox or radio button is checked. */
export function isChecked(node: ModelNode): boolean {
  return node.state.checked ?? node.attributes.checked !== undefined;
}

/** Returns the options of a `<select>` in the order of its `options` property. */
export function listOptions(version: DocumentVersion, select: ModelNode): ModelNode[] {
  const found: ModelNode[] = [];
  const visit = (node: ModelNode): void => {
    for (const id of node.children) {
      const child = trieGet(version.nodes, id);
      if (child?.kind !== "element") continue;
      if (child.tag === "option") found.push(child);
      if (!HOLDS_NO_OPTIONS.has(child.tag)) visit(child);
    }
  };
  visit(select);
  return found;
}

/** Returns the indexes of the selected options of a `<select>`. */
export function getSelectedIndexes(version: DocumentVersion, select: ModelNode): readonly number[] {
  if (select.state.selected !== undefined) return select.state.selected;
  const options = listOptions(version, select);
  const selected = options.flatMap((option, index) => (option.attributes.selected === undefined ? [] : [index]));
  if (select.attributes.multiple !== undefined) return selected;
  if (selected.length) return selected.slice(-1);
  if (displaySize(select) > 1) return [];
  const first = options.findIndex((option) => !isDisabled(version, option, select));
  return first < 0 ? [] : [first];
}

function displaySize(select: ModelNode): number {
  const match = /^[ \t\n\f\r]*\+?([0-9]+)/.exec(select.attributes.size ?? "");
  return match?.[1] ? Number(match[1].slice(0, 9)) : 1;
}

function isDisabled(version: DocumentVersion, option: ModelNode, select: ModelNode): boolean {
  if (option.attributes.disabled !== undefined) return true;
  let parent = trieGet(version.nodes, option.parent);
  while (parent && parent.id !== select.id) {
    if (parent.tag === "optgroup") return parent.attributes.disabled !== undefined;
    parent = trieGet(version.nodes, parent.parent);
  }
  return false;
}

/** Returns the `getTextContent` of a node as the DOM defines it. */
export function getTextContent(version: DocumentVersion, node: ModelNode): string {
  let text = "";
  const visit = (parent: ModelNode): void => {
    for (const id of parent.children) {
      const child = trieGet(version.nodes, id);
      if (!child) continue;
      if (child.kind === "text" || child.kind === "cdata") text += child.data;
      else if (child.children.length) visit(child);
    }
  };
  visit(node);
  return text;
}
