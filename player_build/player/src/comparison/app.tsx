// The page of two runs: both pages side by side, the list of what differs, one transport.

import { useLayoutEffect, useState } from "preact/hooks";
import type { Player } from "../player.ts";
import { BrowserWindow } from "../ui/browser-window.tsx";
import { UiState } from "../ui/state.ts";
import { formatClockTime, formatCount } from "../ui/format.ts";
import { UiContext, useUiValue } from "../ui/hooks.ts";
import { Icon } from "../ui/icons.tsx";
import type { JointPlayer } from "./joint-player.ts";
import { handleComparisonKey, ComparisonHelp } from "./keyboard.tsx";
import { DivergenceChain, DifferenceList, ActionPairList } from "./difference-lists.tsx";
import { outlineDifferences } from "./outlines.ts";
import "./style.css";
import "./lists.css";
import "./narrow.css"; // The last: it overrides the others.
import { type RunSide, RUN_SIDES } from "./data.ts";
import { ComparisonTimeline } from "./comparison-timeline.tsx";
import { ComparisonPlaybackButtons } from "./playback-buttons.tsx";

/** The interface of a comparison: the pages of both runs, their timeline, and the lists of differences and steps. */
export function ComparisonApp({ joint, player }: { joint: JointPlayer; player: Player }) {
  const [ui] = useState(() => new UiState(player));
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (handleComparisonKey(joint, ui, event)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <UiContext.Provider value={ui}>
      <div class="app beside">
        <Header joint={joint} ui={ui} />
        <main>
          <DivergenceChain joint={joint} />
          <div class="halves">
            {RUN_SIDES.map((side) => (
              <Half key={side} joint={joint} side={side} />
            ))}
          </div>
          <section class="transport" aria-label="Playback">
            <ComparisonTimeline joint={joint} />
            <ComparisonPlaybackButtons joint={joint} />
          </section>
          <div class="lists">
            <DifferenceList joint={joint} />
            <ActionPairList joint={joint} />
          </div>
        </main>
        <Dialog ui={ui} />
      </div>
    </UiContext.Provider>
  );
}

function Dialog({ ui }: { ui: UiState }) {
  return useUiValue(() => ui.dialog) === "keys" ? <ComparisonHelp /> : null;
}

function Header({ joint, ui }: { joint: JointPlayer; ui: UiState }) {
  const { told, index } = joint;
  const sure = told.differences.filter((each) => each.sure).length;
  const doubtful = told.differences.length - sure;
  return (
    <header class="header">
      <h1>{index.title}</h1>
      <ul class="badges" aria-label="About these recordings">
        <li class={sure ? "warned" : "good"}>{sure ? formatCount(sure, "difference") : "equal"}</li>
        {doubtful > 0 && <li title="The expected runs may differ so as well">{doubtful} perhaps</li>}
        {told.ignored > 0 && <li title="Usual in the baseline, or left out by a rule">{told.ignored} ignored</li>}
        <li
          class={index.info.redaction ? "good" : "warned"}
          title={
            index.info.redaction
              ? "Personal data was masked, in both under one key"
              : "This file shows what was recorded as it was recorded"
          }
        >
          {index.info.redaction ? "redacted" : "not redacted"}
        </li>
      </ul>
      <button type="button" class="quiet" aria-label="Light or dark" title="Light or dark" onClick={switchTheme}>
        <Icon name="theme" />
      </button>
      <button
        type="button"
        class="quiet"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => ui.set({ dialog: "keys" })}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}

/** One recording: what it is called and how it ended, and its page. */
function Half({ joint, side }: { joint: JointPlayer; side: RunSide }) {
  const player = joint.halves[side];
  const [ui] = useState(() => new UiState(player));
  const outcome = joint.told.outcome[side];
  const damage = player.index.info.damage;
  useLayoutEffect(() => outlineDifferences(joint, side), []);
  const time = useUiValue(() => formatClockTime(joint.timeOf(side)));
  return (
    <section class="half" aria-label={`${side.toUpperCase()}: ${player.index.title}`}>
      <h2>
        <b class="letter">{side.toUpperCase()}</b> <span class="called">{player.index.title}</span>
        {outcome !== "unknown" && <em class={outcome === "failed" ? "bad" : "good"}>{outcome}</em>}
        {damage && (
          <em class="bad" title={damage}>
            damaged
          </em>
        )}
        <time>{time}</time>
      </h2>
      <UiContext.Provider value={ui}>
        <Trouble />
        <BrowserWindow host={joint.hosts[side]} bare={false} label={`Page of ${side.toUpperCase()}`} />
      </UiContext.Provider>
    </section>
  );
}

function Trouble() {
  const damage = useUiValue((player) => player.damage);
  return damage ? (
    <p class="damage" role="alert">
      {damage}
    </p>
  ) : null;
}

function switchTheme(): void {
  const root = document.documentElement;
  const dark =
    root.dataset.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
}
