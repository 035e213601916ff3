// Hooks: the player and the interface's state, and values that follow them.

import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Player } from "../player.ts";
import type { UiState } from "./state.ts";

/** The context that gives components the state of the interface. */
export const UiContext = createContext<UiState>(null as unknown as UiState);

/** Returns the state of the interface. */
export function useUi(): UiState {
  return useContext(UiContext);
}

/** Returns the player of the interface. */
export function usePlayer(): Player {
  return useUi().player;
}

/**
 * Returns a value that `read` gets from the player and the interface. It is read after each change, and the component
 * redraws if it differs.
 */
export function useUiValue<T extends string | number | boolean | null | undefined | object>(
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
