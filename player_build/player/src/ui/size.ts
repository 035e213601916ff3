// The size of the page's window over time.

import type { Player } from "../player.ts";

/** The size of the window that shows at a time, CSS px. */
export function windowSizeAt(player: Player, t: number): { readonly w: number; readonly h: number } {
  return player.recording.documentAt(player.pageAt(t), t)?.sizeAt(t) ?? { w: 1280, h: 720 };
}
