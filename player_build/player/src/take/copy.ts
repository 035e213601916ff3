// The moment on the clipboard.

import type { Desk } from "../ui/desk.ts";
import { momentFragment, momentLink } from "./link.ts";
import { asMarkdown } from "./texts.ts";

export function copy(desk: Desk, what: string, text: string): void {
  const done = (): void => desk.say(`${what} copied`);
  const fallback = (): void => {
    // Without permission, from a file or a sandboxed frame, a selection can still be copied.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (copied) done();
    else desk.say("The browser does not allow copying");
  };
  if (navigator.clipboard) void navigator.clipboard.writeText(text).then(done, fallback);
  else fallback();
}

export function copyLink(desk: Desk): void {
  const { time, chosenPage } = desk.player;
  history.replaceState(null, "", momentFragment(time, chosenPage));
  copy(desk, "Link", momentLink(time, chosenPage));
}

/** The moment for a ticket. */
export function copyMarkdown(desk: Desk): void {
  copy(desk, "Markdown", asMarkdown(desk.player));
}
