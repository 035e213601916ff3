// The address's fragment: `#t=1234`, `#step=7`, `#mark=before%20payment`, `#e=3fa91c` (an event's id, or how it begins), `#page=2`, `#bare`, also together: `#bare&page=1&t=1234`.

import type { SeekTarget } from "./player.ts";

/** The parsed fragment of the player's address: `#t=…`, `#step=…`, `#mark=…`, `#e=…`, `#page=…`, `#bare`. */
export interface UrlFragment {
  readonly target: SeekTarget | undefined;
  readonly bare: boolean;
  /** The page (tab) to show; 0: the one in use at the time. */
  readonly page: number;
}

/** Parses the fragment of the player's address, with or without its `#`. */
export function parseUrlFragment(hash: string): UrlFragment {
  let target: SeekTarget | undefined;
  let bare = false;
  let page = 0;
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name = "", raw = ""] = part.split(/=(.*)/s);
    const value = decodePercentEncoding(raw);
    if (name === "bare") bare = true;
    else if (name === "t" && value) target = Number(value);
    else if (name === "step" && value)
      target = { step: (Number(value) || value) as number }; // As it was written, to be said.
    else if (name === "e" && value) target = { event: value };
    else if (name === "mark" && value) target = { mark: value };
    else if (name === "page" && /^[0-9]{1,9}$/.test(value)) page = Number(value);
  }
  return { target, bare, page };
}

/** Returns percent-decoded text; the text unchanged if its encoding is invalid. */
export function decodePercentEncoding(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
