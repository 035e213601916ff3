// The texts of `<style>` elements: their sheets are painted apart (sheets.ts), so that the elements' own are always off.

import type { VNode } from "../state/node.ts";

/**
 * Gives a `<style>` element its text and switches its sheet off at once: in between nothing may make the browser compute styles (inserting a
 * <marquee> does), or it would load what the text names. A text for which the browser could fetch something before that (`@import` alone, however it
 * is written) stands in an attribute, to be read.
 *
 * @param children the element's children as they were recorded
 */
export function paintStyleText(
  owner: Node | undefined,
  children: readonly VNode[],
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

/** Switches off the sheet of an element, if it has one. */
export function disableSheet(node: Node | undefined): void {
  const sheet = (node as HTMLStyleElement | undefined)?.sheet;
  if (sheet && !sheet.disabled) sheet.disabled = true;
}

export function setCharacterData(node: CharacterData, data: string): void {
  if (node.data !== data) node.data = data;
}
