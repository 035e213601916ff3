// The first script of a file, and the only one that stands in it as it is: it defines `window.pagereel`, inflates the player's other scripts, style
// and markup, which are one piece of the file (player_build/html.py), and runs the core. Compressed, they are a third of their size, and what a small
// recording's file is made of is the player.

import { makeApi } from "../api.ts";
import { readPiece } from "../decode/pieces.ts";
import type { Player } from "../player.ts";

/** What the piece holds. */
interface Shell {
  readonly style: string;
  /** The icons, and what the player says about pages' looks. */
  readonly markup: string;
  readonly core: string;
  /** Scripts that are run when something asks for them (need.ts), by name. */
  readonly late: Readonly<Record<string, string>>;
}

/** Opens the file's recording: what the core gives in return for its place in the page. */
export type Open = (root: HTMLElement, opened: (player: Player) => void) => Promise<void>;

/** What the core finds on its own script element, and where it leaves what it gives. */
export interface Handed extends HTMLScriptElement {
  open?: Open;
}

/** Puts the player into the page. Nothing of it is markup of the recorded page. */
async function unpack(root: HTMLElement): Promise<Open> {
  const shell = JSON.parse(new TextDecoder().decode(await readPiece("shell"))) as Shell;
  const style = document.createElement("style");
  style.textContent = shell.style;
  document.head.append(style);
  root.insertAdjacentHTML("beforebegin", shell.markup);
  for (const [name, text] of Object.entries(shell.late)) {
    const inert = document.createElement("script");
    inert.type = "text/plain";
    inert.id = `pagereel-${name}`;
    inert.textContent = text;
    document.head.append(inert);
  }
  const core: Handed = document.createElement("script");
  core.textContent = shell.core;
  document.head.append(core); // It runs at once.
  if (!core.open) throw new Error("Part of this file was changed on its way: ask for it again as a ZIP archive.");
  return core.open;
}

const root = document.getElementById("pagereel-player") as HTMLElement;
let player: Player | undefined;
let announce!: (player: Player) => void;
const made = new Promise<Player>((resolve) => {
  announce = resolve;
});
const ready = unpack(root).then((open) =>
  open(root, (opened) => {
    player = opened;
    announce(opened);
  }),
);
// Before anything is awaited: a program that looks when the page has loaded must find it.
Object.defineProperty(window, "pagereel", { value: makeApi(() => player, made, ready), enumerable: true });
ready.catch((error: unknown) => {
  const message = document.createElement("p");
  message.className = "opening failed";
  message.setAttribute("role", "alert");
  message.textContent = error instanceof Error ? error.message : String(error);
  root.replaceChildren(message);
});
