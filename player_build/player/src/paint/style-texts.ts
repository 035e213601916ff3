// The texts of `<style>` elements: their sheets are painted apart (sheets.ts), so that the elements' own are always off.

import type { ModelNode } from "../state/node.ts";

/**
 * Sets the text of a `<style>` element, and disables its sheet at once. In between, the browser must not compute
 * styles, as it does when a `<marquee>` is inserted, or it would load what the text names. A text that could load
 * something even before that (`@import`) is stored in an attribute instead, from which the player reads it.
 *
 * @param children the element's recorded children
 */
export function paintStyleText(
  owner: Node | undefined,
  children: readonly ModelNode[],
  real: (id: number) => Node | undefined,
): void {
  const whole = children.map(({ data }) => data ?? "").join("");
  const loads = /@(?:import|[-\w]*\\)/i.test(whole);
  const element = owner as Element | undefined;
  if (loads) element?.setAttribute("data-pagereel-text", whole);
  else element?.removeAttribute("data-pagereel-text");
  const texts = children.flatMap(({ id, kind, data }) => {
    const node = kind === "text" || kind === "cdata" ? real(id) : undefined;
    return node ? [[node as CharacterData, loads ? "" : data] as const] : [];
  });
  // What is emptied comes first: no part of an old text may stand beside a new one.
  for (const [node, data] of texts) if (!data) setCharacterData(node, data);
  for (const [node, data] of texts) setCharacterData(node, data);
  disableSheet(owner);
}

/** Disables the style sheet of an element, if it has one. */
export function disableSheet(node: Node | undefined): void {
  const sheet = (node as HTMLStyleElement | undefined)?.sheet;
  if (sheet && !sheet.disabled) sheet.disabled = true;
}

/** Sets the data of a text or comment node, if it differs. */
export function setCharacterData(node: CharacterData, data: string): void {
  if (node.data !== data) node.data = data;
}
