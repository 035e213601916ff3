import { render } from "preact";
import { makeApi } from "./api.ts";
import { readIndex } from "./decode/pieces.ts";
import { parseFragment } from "./fragment.ts";
import { Player } from "./player.ts";
import { App } from "./ui/app.tsx";

/** Everything starts here: the index is read, the first moment shown, then the interface is put around it. */
async function start(): Promise<void> {
  const root = document.getElementById("pagereel") as HTMLElement;
  let resolveReady!: () => void;
  let rejectReady!: (error: unknown) => void;
  const ready = new Promise<void>((resolve, reject) => {
    resolveReady = resolve;
    rejectReady = reject;
  });
  ready.catch(() => {});
  try {
    const index = await readIndex();
    document.title = index.title;
    const fragment = parseFragment(location.hash);
    document.documentElement.classList.toggle("bare", fragment.bare);
    const host = document.createElement("div");
    host.className = "pages";
    const player = new Player(index, host);
    Object.defineProperty(window, "pagereel", { value: makeApi(player, ready), enumerable: true });
    root.replaceChildren();
    render(<App player={player} host={host} bare={fragment.bare} />, root);
    await player.open(fragment.target ?? 0);
    window.addEventListener("hashchange", () => {
      const { target, bare } = parseFragment(location.hash);
      document.documentElement.classList.toggle("bare", bare);
      if (target !== undefined) void player.seek(target).catch(() => {});
      player.changed();
    });
    resolveReady();
  } catch (error) {
    rejectReady(error);
    const message = document.createElement("p");
    message.className = "opening failed";
    message.setAttribute("role", "alert");
    message.textContent = error instanceof Error ? error.message : String(error);
    root.replaceChildren(message);
  }
}

void start();
