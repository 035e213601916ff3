import { useEffect, useState } from "preact/hooks";
import type { Player } from "../player.ts";
import { Browser } from "./browser.tsx";
import { count } from "./format.ts";
import { PlayerContext, usePlayer, useValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { firstFailure, handleKey, SHORTCUTS } from "./keys.ts";
import { ConsolePanel, InfoPanel, NetworkPanel } from "./panels.tsx";
import { StoryPanel } from "./story.tsx";
import { SPEEDS, Transport } from "./transport.tsx";

export function App({ player, host, bare }: { player: Player; host: HTMLElement; bare: boolean }) {
  const [help, setHelp] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") setHelp(false);
      else if (handleKey(player, event, SPEEDS, () => setHelp((open) => !open))) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [player]);
  return (
    <PlayerContext.Provider value={player}>
      {bare ? (
        <Browser host={host} bare />
      ) : (
        <div class="app">
          <Header onHelp={() => setHelp(true)} />
          <Damage />
          <main class="main">
            <Browser host={host} bare={false} />
            <Side />
          </main>
          <Transport />
          {help && <Help onClose={() => setHelp(false)} />}
        </div>
      )}
    </PlayerContext.Provider>
  );
}

function Header({ onHelp }: { onHelp: () => void }) {
  const player = usePlayer();
  const { info, title } = player.index;
  const failure = useValue((of) => firstFailure(of) ?? -1);
  const whole = info.fidelity.equal === info.fidelity.total;
  return (
    <header class="header">
      <h1>{title}</h1>
      <ul class="badges" aria-label="About this recording">
        <li
          class={info.sealed && !info.damage ? "good" : "bad"}
          title={info.damage ?? "The recording was closed properly and its chain of hashes holds"}
        >
          {info.damage ? "damaged" : info.sealed ? "sealed" : "unsealed"}
        </li>
        {info.fidelity.total > 0 && (
          <li class={whole ? "good" : "bad"} title="Checkpoints at which the recorded state equalled the live page">
            fidelity {info.fidelity.equal}/{info.fidelity.total}
          </li>
        )}
        <li
          class={info.redaction ? "good" : ""}
          title={info.redaction ? "Personal data was masked" : "This file shows what was recorded as it was recorded"}
        >
          {info.redaction ? "redacted" : "not redacted"}
        </li>
        {info.gapCount > 0 && <li title="What was not recorded is listed under Info">{count(info.gapCount, "gap")}</li>}
      </ul>
      {failure >= 0 && (
        <button type="button" class="failure" onClick={() => void player.seek(failure)}>
          First failure
        </button>
      )}
      <button type="button" class="quiet" aria-label="Light or dark" title="Light or dark" onClick={switchTheme}>
        <Icon name="theme" />
      </button>
      <button
        type="button"
        class="quiet"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={onHelp}
      >
        ?
      </button>
    </header>
  );
}

function switchTheme(): void {
  const root = document.documentElement;
  const dark =
    root.dataset.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
}

function Damage() {
  const damage = useValue((player) => player.damage);
  return damage ? (
    <p class="damage" role="alert">
      {damage}
    </p>
  ) : null;
}

const TABS = ["Story", "Console", "Network", "Info"] as const;

function Side() {
  const [tab, setTab] = useState<(typeof TABS)[number]>("Story");
  const errors = useValue((player) => player.story.errors.length);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] as (typeof TABS)[number];
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
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
            onClick={() => setTab(name)}
          >
            {name}
            {name === "Console" && errors > 0 && (
              <span class="count" title={count(errors, "error")}>
                {errors}
              </span>
            )}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === "Story" && <StoryPanel />}
        {tab === "Console" && <ConsolePanel />}
        {tab === "Network" && <NetworkPanel />}
        {tab === "Info" && <InfoPanel />}
      </div>
    </aside>
  );
}

function Help({ onClose }: { onClose: () => void }) {
  return (
    <div class="shade">
      <section class="help" role="dialog" aria-modal="true" aria-label="Keyboard shortcuts">
        <h2>Keyboard</h2>
        <dl>
          {SHORTCUTS.map(([keys, what]) => (
            <div key={keys}>
              <dt>
                {keys.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        {/* biome-ignore lint/a11y/noAutofocus: the dialog was asked for just now. */}
        <button type="button" autoFocus onClick={onClose}>
          Close
        </button>
      </section>
    </div>
  );
}
