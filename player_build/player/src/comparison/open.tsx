// Opens a file of two recordings: reads both, makes their players, draws the page.

import { render } from "preact";
import type { FileIndex } from "../decode/pieces.ts";
import { parseUrlFragment } from "../url-fragment.ts";
import type { Player } from "../player.ts";
import { ComparisonApp } from "./app.tsx";
import { JointPlayer } from "./joint-player.ts";

/** Opens a file with two recordings: draws the interface into `root`, and shows the time at which the runs diverge. */
export async function openComparison(
  root: HTMLElement,
  index: FileIndex,
  opened: (player: Player) => void,
): Promise<void> {
  const joint = new JointPlayer(index);
  const player = joint as unknown as Player; // What of one the interface and `window.pagereel` ask for.
  opened(player);
  root.replaceChildren();
  joint.aim(parseUrlFragment(location.hash).target);
  render(<ComparisonApp joint={joint} player={player} />, root);
  await joint.open();
  window.addEventListener("hashchange", () => {
    const { target } = parseUrlFragment(location.hash);
    if (typeof target === "number") void joint.seek(target).catch(() => {});
  });
}
