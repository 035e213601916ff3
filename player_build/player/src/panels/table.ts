// The tabs beside the page: each is a folder here, with its component, style and test, and a line in this table, from which the tabs, their keys and
// what the help says of them are made. Its style comes along with its component.

import "./side.css";
import "./shared/lists.css";
import type { FunctionComponent } from "preact";
import { getConsoleLine } from "../history/console.ts";
import type { Player } from "../player.ts";
import { ActionsPanel } from "./actions/panel.tsx";
import { ConsolePanel } from "./console/panel.tsx";
import { DomPanel } from "./dom/panel.tsx";
import { InfoPanel } from "./info/panel.tsx";
import { ModelPanel } from "./model/panel.tsx";
import { NetworkPanel } from "./network/panel.tsx";
import { StoryPanel } from "./story/panel.tsx";

interface Entry {
  readonly name: string;
  readonly key: string;
  readonly Panel: FunctionComponent;
  /** How much of what it lists went wrong: stands beside the tab's name. */
  readonly failures?: (player: Player) => number;
}

/** The panels in the order of their tabs, each with its name and its key. */
export const PANELS = [
  { name: "Story", key: "1", Panel: StoryPanel },
  { name: "Actions", key: "2", Panel: ActionsPanel },
  {
    name: "Console",
    key: "3",
    Panel: ConsolePanel,
    failures: ({ story }) => story.console.filter((entry) => getConsoleLine(entry).level === "error").length,
  },
  {
    name: "Network",
    key: "4",
    Panel: NetworkPanel,
    failures: ({ story }) => story.network.filter((entry) => entry.failed).length,
  },
  { name: "Model", key: "5", Panel: ModelPanel },
  { name: "DOM", key: "6", Panel: DomPanel },
  { name: "Info", key: "7", Panel: InfoPanel },
] as const satisfies readonly Entry[];

export type PanelEntry = (typeof PANELS)[number];
export type TabName = PanelEntry["name"];
