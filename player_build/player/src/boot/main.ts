// The first script of a file, and the only one that stands in it as it is: it defines `window.pagereel`, inflates the player's other scripts, style
// and markup, which are one piece of the file (player_build/html_file.py), and runs the core. Compressed, they are a third of their size, and what a small
// recording's file is made of is the player.

import { createPlayerApi } from "../api.ts";
import { type PieceReader, readFilePiece } from "../decode/file-pieces.ts";
import type { Player } from "../player.ts";

/** The core script's function that opens the recording of the file in `root`, and calls `opened` with its player. */
export type RecordingOpener = (root: HTMLElement, opened: (player: Player) => void) => Promise<void>;

/**
 * The core's own `<script>` element: the first script passes functions to the core, and the core returns `open`, as
 * its properties.
 */
export interface CoreScriptElement extends HTMLScriptElement {
  read?: PieceReader;
  /** Puts the player's style and icons into the page: before anything of it stands there, so that no frame is made for them alone. */
  dress?: () => void;
  open?: RecordingOpener;
}

function add<T extends "style" | "script">(tag: T, given: object): HTMLElementTagNameMap[T] {
  const element = Object.assign(document.createElement(tag), given);
  document.head.append(element);
  return element;
}

/** Puts the player into the page. Nothing of it is markup of the recorded page. */
async function unpack(root: HTMLElement): Promise<RecordingOpener> {
  // Texts after their names: scripts by need (script-loading.ts), the core, whose name is empty, styles, the player's own last, and icons and what it says about pages' looks.
  const texts = new TextDecoder().decode(await readFilePiece("shell")).split("\0");
  let style = "";
  let script = "";
  let markup = "";
  for (let at = 0; at < texts.length; at += 2) {
    const [name, text] = texts.slice(at, at + 2) as [string, string];
    if (!name) script = text;
    else if (name === "style") style = text + style;
    else if (name === "markup") markup = text;
    else add("script", { type: "text/plain", id: `pagereel-${name}`, textContent: text });
  }
  const dress = (): void => {
    add("style", { textContent: style });
    root.insertAdjacentHTML("beforebegin", markup);
  };
  const core: CoreScriptElement = add("script", { read: readFilePiece, dress, textContent: script }); // It runs at once.
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
Object.defineProperty(window, "pagereel", { value: createPlayerApi(() => player, made, ready), enumerable: true });
ready.catch((error: unknown) => {
  const message = document.createElement("p");
  message.className = "opening failed";
  message.setAttribute("role", "alert");
  message.textContent = error instanceof Error ? error.message : String(error);
  root.replaceChildren(message);
});
