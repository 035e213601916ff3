// The top layer: modal dialogs, popovers and what was fullscreen, in their order. A replay does not take over the screen: what was fullscreen is
// shown as a popover, which is in the layer too and has a backdrop; `data-pagereel-popover` says that its `popover` is the player's.

import { RECORDED_VALUE_PREFIX } from "../paint/player-attributes.ts";

/** Marks an element whose `popover` attribute was set by the player. */
export const PLAYER_POPOVER_ATTRIBUTE = "data-pagereel-popover";

type Layer = ReadonlyArray<readonly [node: number, how: string]>;

/** Shows elements in the browser's top layer, in their recorded order. */
export class TopLayer {
  #shown: Array<{ id: number; how: string; element: Element }> = [];

  paint(layer: Layer, real: (id: number) => Element | undefined): void {
    const wanted = layer.flatMap(([id, how]) => {
      const element = real(id);
      return element?.isConnected ? [{ id, how, element }] : [];
    });
    let same = 0;
    while (same < this.#shown.length && same < wanted.length && equal(this.#shown[same], wanted[same])) same += 1;
    if (same === this.#shown.length && same === wanted.length) return;
    // What is above the first difference comes off and goes on again: the layer has no other way to be put in order.
    for (const item of this.#shown.slice(same).reverse())
      hide(
        item.element,
        item.how,
        wanted.some((other) => other.element === item.element),
      );
    let below: Element | undefined;
    wanted.forEach(({ element, how }, index) => {
      if (index >= same) show(element, how, openerOf(element, below));
      if (how === "popover" && (element as HTMLElement).popover !== "manual") below = element;
    });
    this.#shown = wanted;
  }
}

function equal(
  a: { how: string; element: Element } | undefined,
  b: { how: string; element: Element } | undefined,
): boolean {
  return a?.how === b?.how && a?.element === b?.element;
}

function show(element: Element, how: string, source: Element | undefined): void {
  try {
    if (how === "modal") {
      // As recorded it is open already, and what is open cannot be shown.
      element.removeAttribute("open");
      (element as HTMLDialogElement).showModal();
    } else if (how === "popover") {
      (element as HTMLElement).showPopover({ source } as ShowPopoverOptions);
    } else if (how === "fullscreen") {
      element.setAttribute("data-pagereel-fullscreen", "");
      if (element === element.ownerDocument.documentElement || !("popover" in element)) return;
      if (!element.hasAttribute("popover")) {
        element.setAttribute(PLAYER_POPOVER_ATTRIBUTE, "");
        element.setAttribute("popover", "manual");
      }
      (element as HTMLElement).showPopover();
    }
  } catch {
    // Not connected, or no dialog: it shows in its place.
  }
}

function hide(element: Element, how: string, stays: boolean): void {
  try {
    if (how === "modal") {
      const open = element.hasAttribute("open");
      element.setAttribute("open", ""); // Without it close() does nothing, and the dialog stays in the layer.
      (element as HTMLDialogElement).close();
      if (open && stays) element.setAttribute("open", "");
    } else if (how === "popover") {
      (element as HTMLElement).hidePopover();
    } else if (how === "fullscreen") {
      element.removeAttribute("data-pagereel-fullscreen");
      if (element.hasAttribute(PLAYER_POPOVER_ATTRIBUTE))
        for (const name of ["popover", PLAYER_POPOVER_ATTRIBUTE]) element.removeAttribute(name);
      else (element as HTMLElement).hidePopover?.();
    }
  } catch {
    // It is gone already.
  }
}

/**
 * The button that a popover was opened by, at which it may stand: one in the popover `below`, which would close by any other; where none says so, that
 * one itself.
 */
function openerOf(popover: Element, below: Element | undefined): Element | undefined {
  const id = `="${CSS.escape(popover.id)}"]`;
  const buttons = (popover.getRootNode() as ParentNode).querySelectorAll(
    `[${RECORDED_VALUE_PREFIX}popovertarget${id}, [${RECORDED_VALUE_PREFIX}commandfor${id}`,
  );
  return [...buttons].find((button) => (below ?? button).contains(button) && !popover.contains(button)) ?? below;
}
