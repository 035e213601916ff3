// The search field.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { loadScript } from "../script-loading.ts";
import { useUi, useUiValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";

/**
 * The search field: it searches what pages showed at any time, steps, actions, model calls, the console and the
 * network.
 */
export function SearchField() {
  const ui = useUi();
  const { player } = ui;
  const [query, setQuery] = useState("");
  const open = useUiValue((_, of) => of.searching);
  const loaded = useUiValue(() => player.recording.loaded);
  const box = useRef<HTMLInputElement>(null);
  const words = query.trim();
  const hits = useMemo(
    () => (words.length > 1 && loadScript("tools").searchRecording?.(player, words)) || [],
    [words, loaded],
  );
  useLayoutEffect(() => {
    ui.set({ hits: hits.map((hit) => hit.t) });
  }, [hits]);
  useLayoutEffect(() => {
    if (open) box.current?.select();
  }, [open]);
  const close = (): void => {
    ui.set({ searching: false });
    box.current?.blur();
  };
  const SearchResults = open && words.length > 1 && loadScript("tools").SearchResults;
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
          ui.set({ searching: true });
        }}
        onFocus={() => ui.set({ searching: true })}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
          else if (event.key === "Enter" && hits[0])
            void player.seek((hits.find((hit) => hit.t > player.time + 1) ?? hits[0]).t);
        }}
      />
      {SearchResults && <SearchResults words={words} hits={hits} />}
    </search>
  );
}
