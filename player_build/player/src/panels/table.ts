// The tabs, in their order.

import { ActionsPanel } from "./actions.tsx";
import { ConsolePanel } from "./console.tsx";
import { DomPanel } from "./dom.tsx";
import { InfoPanel } from "./info.tsx";
import { ModelPanel } from "./model.tsx";
import { NetworkPanel } from "./network.tsx";
import { StoryPanel } from "./story.tsx";

export const PANELS = {
  Story: StoryPanel,
  Actions: ActionsPanel,
  Console: ConsolePanel,
  Network: NetworkPanel,
  Model: ModelPanel,
  DOM: DomPanel,
  Info: InfoPanel,
} as const;

export type Tab = keyof typeof PANELS;

export const TABS = Object.keys(PANELS) as readonly Tab[];
