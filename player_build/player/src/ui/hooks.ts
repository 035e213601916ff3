// Hooks: the player and the interface's state, and values that follow them.

import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Player } from "../player.ts";
import type { UiState } from "./state.ts";

export const UiContext = createContext<UiState>(null as unknown as UiState);

export function useUi(): UiState {
  return useContext(UiContext);
}

export function usePlayer(): Player {
  return useUi().player;
}

/** A value of the player or the ui, read after each of their changes; the component draws again only when it is another one. */
export function useValue<T extends string | number | boolean | null | undefined | object>(
  read: (player: Player, ui: UiState) => T,
): T {
  const ui = useUi();
  const [, draw] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const value = read(ui.player, ui);
  const shown = useRef(value);
  shown.current = value;
  useLayoutEffect(
    () =>
      ui.player.subscribe(() => {
        if (!Object.is(latest.current(ui.player, ui), shown.current)) draw((count) => count + 1);
      }),
    [ui],
  );
  return value;
}
