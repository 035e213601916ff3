import { useLayoutEffect, useRef } from "preact/hooks";
import type { Player } from "../player.ts";

export function App({ player, host }: { player: Player; host: HTMLElement; bare: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => { place.current?.append(host); }, []);
  return <div ref={place} />;
}
