// The moment on the clipboard.

import type { UiState } from "../ui/state.ts";
import { buildMomentFragment, buildMomentLink } from "./link.ts";
import { formatMomentAsMarkdown } from "./text-exports.ts";

/** Copies a text to the clipboard, and tells the reader; `what` names the text in that message. */
export function copyText(ui: UiState, what: string, text: string): void {
  const done = (): void => ui.say(`${what} copied`);
  const fallback = (): void => {
    // Without permission, from a file or a sandboxed frame, a selection can still be copied.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (copied) done();
    else ui.say("The browser does not allow copying");
  };
  if (navigator.clipboard) void navigator.clipboard.writeText(text).then(done, fallback);
  else fallback();
}

/** Copies a link to the player's current time. */
export function copyLink(ui: UiState): void {
  const { time, chosenPage } = ui.player;
  history.replaceState(null, "", buildMomentFragment(time, chosenPage));
  copyText(ui, "Link", buildMomentLink(time, chosenPage));
}

/** Copies a description of the player's current time as Markdown, for a ticket. */
export function copyMarkdown(ui: UiState): void {
  copyText(ui, "Markdown", formatMomentAsMarkdown(ui.player));
}
