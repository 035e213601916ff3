// The core's first module: it opens the file's recording and draws the interface, or the page alone.

import { render } from "preact";
import type { CoreScriptElement } from "./boot/main.ts";
import type { PieceReader } from "./decode/file-pieces.ts";
import { readIndex, setPieceReader } from "./decode/pieces.ts";
import { parseUrlFragment } from "./url-fragment.ts";
import * as kit from "./shared-modules.ts";
import { setSharedModules, loadScript } from "./script-loading.ts";
import { Player } from "./player.ts";
import { App } from "./ui/app.tsx";

/** Reads the index, shows the first moment and puts the interface around it. */
async function open(root: HTMLElement, opened: (player: Player) => void): Promise<void> {
  setSharedModules(kit);
  const index = await readIndex();
  if (index.apart) {
    handed.dress?.();
    return loadScript(index.apart).open?.(root, index, opened, handed.read as PieceReader, App);
  }
  const fragment = parseUrlFragment(location.hash);
  document.documentElement.classList.toggle("bare", fragment.bare);
  const host = document.createElement("div");
  host.className = "pages";
  const { Feed } = index.live ? loadScript("live") : {};
  const feed = Feed && new Feed(index);
  const player = new Player(index, host, feed?.resources);
  player.chosenPage = fragment.page;
  opened(player);
  const draw = (): void => render(<App player={player} host={host} bare={fragment.bare} />, root);
  await player.read(fragment.target); // So that the interface and the page within it are laid out once.
  handed.dress?.();
  root.replaceChildren();
  draw();
  await feed?.begin(player, draw);
  await player.open(fragment.target);
  if (index.live) player.newest(true);
  void player.missed(fragment.page);
  window.addEventListener("hashchange", () => {
    const { target, bare, page } = parseUrlFragment(location.hash);
    document.documentElement.classList.toggle("bare", bare);
    if (target !== undefined || page) player.choosePage(page);
    if (target !== undefined) void player.seek(target).catch((error: Error) => player.tell(error.message));
    player.changed();
    void player.missed(page);
  });
}

const handed = document.currentScript as CoreScriptElement;
setPieceReader(handed.read as PieceReader);
handed.open = open;
