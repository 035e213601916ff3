// What the reader has open: the state of the interface, beside the player's. Changing it draws anew what depends on it.

import type { TabName } from "../panels/table.ts";
import type { Player } from "../player.ts";

/** A reference to a recorded node: its document's number and its id. */
export interface NodeReference {
  readonly d: number;
  readonly id: number;
}

/** The state of the interface: the selected tab, the picked element, open dialogs, and messages to the reader. */
export class UiState {
  /** The tab that the reader chose; none before that. */
  tab: TabName | "" = "";
  /** The action, request or model call that is opened in its tab, by its id; 0: the one under way. */
  opened = 0;
  picked: NodeReference | null = null;
  /** The next press on the page picks an element. */
  picking = false;
  /** The part of the time that the timeline shows, ms. */
  range: readonly [number, number];
  /** Moments that the search found. */
  hits: readonly number[] = [];
  searching = false;
  dialog: "" | "keys" | "export" = "";
  /** How much of the page shows as it was before the step, 0 to 1; null: not comparing. */
  compare: number | null = null;
  /** A short message for the reader. */
  said = "";

  constructor(readonly player: Player) {
    this.range = [0, Math.max(1, player.duration)];
  }

  set(change: Partial<Omit<UiState, "player" | "set" | "say" | "zoom">>): void {
    Object.assign(this, change);
    this.player.changed();
  }

  /** Shows a message for a moment. */
  say(said: string): void {
    this.set({ said });
    setTimeout(() => {
      if (this.said === said) this.set({ said: "" });
    }, 1800);
  }

  /** Makes the timeline show `factor` times as much, with `around` staying where it is. */
  zoom(factor: number, around: number): void {
    const whole = Math.max(1, this.player.duration);
    const [from, to] = this.range;
    const width = Math.min(whole, Math.max(Math.min(50, whole), (to - from) * factor));
    const share = (around - from) / (to - from);
    const start = Math.min(whole - width, Math.max(0, around - width * share));
    this.set({ range: [start, start + width] });
  }
}
