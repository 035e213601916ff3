import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { need } from "../need.ts";
import { useDesk, useValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";

/** One search over all: what pages showed at any time, steps, actions, model calls, console, network. */
export function Search() {
  const desk = useDesk();
  const { player } = desk;
  const [query, setQuery] = useState("");
  const open = useValue((_, of) => of.searching);
  const loaded = useValue(() => player.recording.loaded);
  const box = useRef<HTMLInputElement>(null);
  const words = query.trim();
  const hits = useMemo(() => (words.length > 1 && need("tools").search?.(player, words)) || [], [words, loaded]);
  useLayoutEffect(() => {
    desk.set({ hits: hits.map((hit) => hit.t) });
  }, [hits]);
  useLayoutEffect(() => {
    if (open) box.current?.select();
  }, [open]);
  const close = (): void => {
    desk.set({ searching: false });
    box.current?.blur();
  };
  const Found = open && words.length > 1 && need("tools").Found;
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={box}
        type="search"
        placeholder="Search"
        aria-label="Search pages, steps, console, network, model"
        title="Search everything (/)"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          desk.set({ searching: true });
        }}
        onFocus={() => desk.set({ searching: true })}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
          else if (event.key === "Enter" && hits[0])
            void player.seek((hits.find((hit) => hit.t > player.time + 1) ?? hits[0]).t);
        }}
      />
      {Found && <Found words={words} hits={hits} />}
    </search>
  );
}
