import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Player } from "../player.ts";
import type { Desk } from "./desk.ts";

export const DeskContext = createContext<Desk>(null as unknown as Desk);

export function useDesk(): Desk {
  return useContext(DeskContext);
}

export function usePlayer(): Player {
  return useDesk().player;
}

/** A value of the player or the desk, read after each of their changes; the component draws again only when it is another one. */
export function useValue<T extends string | number | boolean | null | undefined | object>(
  read: (player: Player, desk: Desk) => T,
): T {
  const desk = useDesk();
  const [, draw] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const value = read(desk.player, desk);
  const shown = useRef(value);
  shown.current = value;
  useLayoutEffect(
    () =>
      desk.player.subscribe(() => {
        if (!Object.is(latest.current(desk.player, desk), shown.current)) draw((count) => count + 1);
      }),
    [desk],
  );
  return value;
}
