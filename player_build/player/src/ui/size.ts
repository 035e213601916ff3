// The size of the page's window over time.

import type { Player } from "../player.ts";

/** Returns the size of the recorded window that is shown at a time (ms), in CSS px. */
export function getWindowSize(player: Player, t: number): { readonly w: number; readonly h: number } {
  return player.recording.documentAt(player.pageAt(t), t)?.sizeAt(t) ?? { w: 1280, h: 720 };
}
