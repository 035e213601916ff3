// The tabs beside the page, and the panel that is open.

import { loadScript } from "../script-loading.ts";
import { formatCount } from "../ui/format.ts";
import { useUi, useUiValue } from "../ui/hooks.ts";
import { type PanelEntry, PANELS, type TabName } from "./table.ts";

/** How much went wrong of what a tab lists. */
function Failures({ entry }: { entry: PanelEntry }) {
  const failures = useUiValue((player) => ("failures" in entry ? entry.failures(player) : 0));
  return failures ? (
    <span class="count" title={formatCount(failures, "failure")}>
      {failures}
    </span>
  ) : null;
}

/** The side panel: its tabs, and the panel of the selected tab. */
export function SidePanel() {
  const ui = useUi();
  const { player } = ui;
  const tab = useUiValue((_, of) => of.tab || "Story");
  const at = PANELS.findIndex(({ name }) => name === tab);
  const { Panel } = PANELS[at] as PanelEntry;
  const choose = (name: TabName): void => ui.set({ tab: name });
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const { name } = PANELS[(at + step + PANELS.length) % PANELS.length] as PanelEntry;
    choose(name);
    document.getElementById(`tab-${name}`)?.focus();
  };
  const Why = tab === "Story" && player.index.why && loadScript("why").FailureExplanation;
  return (
    <aside class="side" aria-label="What happened">
      <div class="tablist" role="tablist" aria-label="What happened" onKeyDown={move}>
        {PANELS.map((entry) => (
          <button
            key={entry.name}
            id={`tab-${entry.name}`}
            type="button"
            role="tab"
            aria-selected={tab === entry.name}
            aria-controls="panel"
            tabIndex={tab === entry.name ? 0 : -1}
            onClick={() => choose(entry.name)}
          >
            {entry.name}
            <Failures entry={entry} />
          </button>
        ))}
      </div>
      {Why && <Why />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        <Panel />
      </div>
    </aside>
  );
}
