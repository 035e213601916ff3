// The address's fragment: `#t=1234`, `#step=7`, `#mark=before%20payment`, `#bare`, also together: `#bare&t=1234`.

import type { Target } from "./player.ts";

export interface Fragment {
  readonly target: Target | undefined;
  readonly bare: boolean;
}

export function parseFragment(hash: string): Fragment {
  let target: Target | undefined;
  let bare = false;
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name = "", raw = ""] = part.split(/=(.*)/s);
    const value = decode(raw);
    if (name === "bare") bare = true;
    else if (name === "t" && value !== "" && Number.isFinite(Number(value))) target = Number(value);
    else if (name === "step" && Number.isInteger(Number(value)) && value !== "") target = { step: Number(value) };
    else if (name === "mark" && value) target = { mark: value };
  }
  return { target, bare };
}

export function momentLink(t: number): string {
  return `${location.href.split("#")[0]}#t=${Math.round(t)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
