import { useContext, useEffect, useState } from "preact/hooks";
import { createContext } from "preact";
import type { Player } from "../player.ts";

export const PlayerContext = createContext<Player>(null as unknown as Player);

export function usePlayer(): Player {
  return useContext(PlayerContext);
}

/** A value of the player, read after each of its changes; the component draws again only when the value is another one. */
export function useValue<T extends string | number | boolean | null | undefined | object>(
  read: (player: Player) => T,
): T {
  const player = usePlayer();
  const [, draw] = useState(0);
  const value = read(player);
  useEffect(() => {
    let last = read(player);
    return player.subscribe(() => {
      const now = read(player);
      if (Object.is(now, last)) return;
      last = now;
      draw((count) => count + 1);
    });
  }, [player]);
  return value;
}
