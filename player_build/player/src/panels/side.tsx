import { count } from "../ui/format.ts";
import { useDesk, usePlayer, useValue } from "../ui/hooks.ts";
import { PANELS, TABS, type Tab } from "./table.ts";

/** The tabs, and the panel of the one that is chosen. */
export function Side() {
  const desk = useDesk();
  const player = usePlayer();
  const tab = useValue((_, of) => of.tab);
  const errors = useValue(() => player.story.errors.length);
  const failed = useValue(() => player.story.network.filter((entry) => entry.failed).length);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] as Tab;
    desk.set({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  const Panel = PANELS[tab];
  const bad = { Console: errors, Network: failed } as Partial<Record<Tab, number>>;
  return (
    <aside class="side" aria-label="What happened">
      <div class="tablist" role="tablist" aria-label="What happened" onKeyDown={move}>
        {TABS.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={tab === name}
            aria-controls="panel"
            tabIndex={tab === name ? 0 : -1}
            onClick={() => desk.set({ tab: name })}
          >
            {name}
            {Boolean(bad[name]) && (
              <span class="count" title={count(bad[name] ?? 0, "failure")}>
                {bad[name]}
              </span>
            )}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        <Panel />
      </div>
    </aside>
  );
}
