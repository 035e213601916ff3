import { render } from "preact";
import { makeApi } from "./api.ts";
import { readIndex } from "./decode/pieces.ts";
import { parseFragment } from "./fragment.ts";
import * as kit from "./kit.ts";
import { give, need } from "./need.ts";
import { Player } from "./player.ts";
import { App } from "./ui/app.tsx";

const CHANGED = "Part of this file was changed on its way: ask for it again as a ZIP archive.";

/** Reads the index, shows the first moment and puts the interface around it. */
async function open(root: HTMLElement, opened: (player: Player) => void): Promise<void> {
  const index = await readIndex();
  document.title = index.title;
  if (index.halves) {
    give(kit, () => {});
    const { open } = need("beside");
    if (!open) throw new Error(CHANGED);
    return open(root, index, opened);
  }
  const fragment = parseFragment(location.hash);
  document.documentElement.classList.toggle("bare", fragment.bare);
  const host = document.createElement("div");
  host.className = "pages";
  const player = new Player(index, host);
  player.chosenPage = fragment.page;
  opened(player);
  give(kit, () => player.fail(CHANGED));
  root.replaceChildren();
  render(<App player={player} host={host} bare={fragment.bare} />, root);
  await player.open(fragment.target);
  void player.missed(fragment.page);
  window.addEventListener("hashchange", () => {
    const { target, bare, page } = parseFragment(location.hash);
    document.documentElement.classList.toggle("bare", bare);
    if (target !== undefined || page) player.choosePage(page);
    if (target !== undefined) void player.seek(target).catch((error: Error) => player.tell(error.message));
    player.changed();
    void player.missed(page);
  });
}

function start(): void {
  const root = document.getElementById("pagereel-player") as HTMLElement;
  let player: Player | undefined;
  let announce!: (player: Player) => void;
  const made = new Promise<Player>((resolve) => {
    announce = resolve;
  });
  const ready = open(root, (opened) => {
    player = opened;
    announce(opened);
  });
  // Before anything is awaited: a program that looks when the page has loaded must find it.
  Object.defineProperty(window, "pagereel", { value: makeApi(() => player, made, ready), enumerable: true });
  ready.catch((error: unknown) => {
    const message = document.createElement("p");
    message.className = "opening failed";
    message.setAttribute("role", "alert");
    message.textContent = error instanceof Error ? error.message : String(error);
    root.replaceChildren(message);
  });
}

start();
