// The interface: header, page, transport, and the scripts by need around them.

import { useLayoutEffect, useState } from "preact/hooks";
import { loadScript } from "../script-loading.ts";
import type { Player } from "../player.ts";
import { BrowserWindow } from "./browser-window.tsx";
import { UiState } from "./state.ts";
import { describeFidelity, formatCount, describeImport, describeFidelityLayers } from "./format.ts";
import { UiContext, useUi, useUiValue } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { findFirstFailureTime } from "./navigation.ts";
import { PrintedReportMaker } from "./print.ts";
import { SearchField } from "./search.tsx";
import { PlaybackButtons } from "./playback-buttons.tsx";

/** The player's interface. With `bare` it is only the recorded page. */
export function App({ player, host, bare }: { player: Player; host: HTMLElement; bare: boolean }) {
  const [ui] = useState(() => new UiState(player));
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!bare && loadScript("tools").handlePlayerKey?.(ui, event)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [ui]);
  const Timeline = bare ? undefined : loadScript("timeline").Timeline;
  return (
    <UiContext.Provider value={ui}>
      {bare ? (
        <Stage host={host} bare />
      ) : (
        <>
          <div class="app">
            <Header />
            <Damage />
            <main class="main">
              <Stage host={host} bare={false} />
              <Lists />
            </main>
            <section class="transport" aria-label="Playback">
              {Timeline && <Timeline />}
              <PlaybackButtons />
            </section>
            <Dialog />
            <p class="said" role="status">
              <Said />
            </p>
          </div>
          <PrintedReportMaker />
        </>
      )}
    </UiContext.Provider>
  );
}

/** What happened, in lists: with the frame after the first one. */
function Lists() {
  const SidePanel = useUiValue((player) => player.opened) && loadScript("panels").SidePanel;
  return SidePanel ? <SidePanel /> : <div class="side" />;
}

/** The page, or what stands in its place. Pages stay where they are: a frame that is moved begins anew. */
function Stage({ host, bare }: { host: HTMLElement; bare: boolean }) {
  const { pageless } = useUi().player;
  const track = useUiValue((of) => of.track);
  const Other =
    track === "screens"
      ? loadScript("screens").RecordedScreens
      : track === "conversation"
        ? loadScript("conversation").Conversation
        : undefined;
  return (
    <>
      {Other && <Other bare={bare} />}
      {pageless ? (
        <div hidden ref={(place) => place?.append(host)} />
      ) : (
        <BrowserWindow host={host} bare={bare} away={!!Other} />
      )}
    </>
  );
}

function Said() {
  return <>{useUiValue((_, ui) => ui.said)}</>;
}

function Dialog() {
  const dialog = useUiValue((_, ui) => ui.dialog);
  const Open =
    dialog === "keys"
      ? loadScript("tools").KeyboardHelp
      : dialog === "export"
        ? loadScript("export").ExportDialog
        : undefined;
  return Open ? <Open /> : null;
}

function Header() {
  const ui = useUi();
  const { player } = ui;
  const { info, title } = player.index;
  const failure = useUiValue(() => findFirstFailureTime(player) ?? -1);
  const { samePage } = info;
  const without = (info.redaction as { without?: readonly string[] } | null)?.without?.join(", ");
  const { verdict } = info.fidelity;
  const imported = describeImport(info);
  const sound = info.sealed && !info.damage;
  return (
    <header class="header">
      <h1>{title}</h1>
      <ul class="badges" aria-label="About this recording">
        <Outcome />
        {!((imported && sound) || player.index.live) && (
          <li
            class={sound ? "sound" : "bad"}
            title={info.damage ?? "The recording was closed properly and its chain of hashes holds"}
          >
            {info.damage ? "damaged recording" : info.sealed ? "complete recording" : "incomplete recording"}
          </li>
        )}
        {imported ? (
          <li title="pagereel did not see the page: nothing says how true the replay is">{imported}</li>
        ) : (
          info.fidelity.tree.total > 0 && (
            <li
              class={`checked ${verdict === "full" ? "good" : verdict === "short" ? "warned" : ""}`}
              title={describeFidelityLayers(info.fidelity)}
            >
              {describeFidelity(info.fidelity).replace(/replay | check.*/g, "")}
            </li>
          )
        )}
        <li
          class={info.redaction && !without && !(samePage && samePage.equal < samePage.of) ? "good" : "warned"}
          title={
            without
              ? `Masked without ${without}: names and addresses in texts are found less often`
              : info.redaction
                ? "Personal data was masked"
                : "This file shows what was recorded as it was recorded"
          }
        >
          {info.redaction
            ? `redacted${without ? " without all models" : ""}${samePage ? ` · same page ${samePage.equal}/${samePage.of}` : ""}`
            : "not redacted"}
        </li>
        {info.gapCount > 0 && (
          <li class="warned" title="What was not recorded is listed under Info">
            {formatCount(info.gapCount, "gap")}
          </li>
        )}
      </ul>
      <SearchField />
      {failure >= 0 && (
        <button
          type="button"
          class="failure"
          title="Go to the first failure (E)"
          onClick={() => void player.seek(failure)}
        >
          First failure
        </button>
      )}
      <Quiet name="export" label="Export: copy or save" keys="T" onClick={() => ui.set({ dialog: "export" })} />
      <Quiet name="theme" label="Light or dark" onClick={switchTheme} />
      <Quiet name="help" label="Keyboard shortcuts" keys="?" onClick={() => ui.set({ dialog: "keys" })} />
    </header>
  );
}

/** How the run ended: the first thing that is said. The badges after it are about the recording. */
function Outcome() {
  const { outcome, recovered = 0, told } = useUi().player.index.info.outcome ?? {};
  if (!outcome || outcome === "unknown") return null;
  return (
    <li class={`run ${outcome === "failed" ? "failed" : recovered ? "got-over" : ""}`} title={told}>
      {outcome}
      {recovered > 0 && `, ${formatCount(recovered, "step")} recovered`}
    </li>
  );
}

function Quiet(props: { name: "export" | "theme" | "help"; label: string; keys?: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class="quiet"
      aria-label={props.label}
      title={props.keys ? `${props.label} (${props.keys})` : props.label}
      onClick={props.onClick}
    >
      <Icon name={props.name} />
    </button>
  );
}

function switchTheme(): void {
  const root = document.documentElement;
  const dark =
    root.dataset.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
}

function Damage() {
  const damage = useUiValue((player) => player.damage);
  const notice = useUiValue((player) => player.notice);
  return (
    <>
      {damage && (
        <p class="damage" role="alert">
          {damage}
        </p>
      )}
      {notice && (
        <p class="damage notice" role="alert">
          {notice}
        </p>
      )}
    </>
  );
}
