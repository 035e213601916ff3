import { render } from "preact";
import type { Index } from "../decode/pieces.ts";
import { parseFragment } from "../fragment.ts";
import type { Player } from "../player.ts";
import { App } from "./app.tsx";
import { Joint } from "./joint.ts";

/** Puts the interface around both recordings and shows where they part. */
export async function open(root: HTMLElement, index: Index, opened: (player: Player) => void): Promise<void> {
  const joint = new Joint(index);
  const player = joint as unknown as Player; // What of one the interface and `window.pagereel` ask for.
  opened(player);
  root.replaceChildren();
  joint.aim(parseFragment(location.hash).target);
  render(<App joint={joint} player={player} />, root);
  await joint.open();
  window.addEventListener("hashchange", () => {
    const { target } = parseFragment(location.hash);
    if (typeof target === "number") void joint.seek(target).catch(() => {});
  });
}
