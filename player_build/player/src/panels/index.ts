// What is not needed to show the page, the timeline and the story: dist/panels.js, which stands in the file beside the player and is run when the
// reader first asks for any of it (need.ts).

import type { Tab } from "../ui/desk.ts";
import { ActionsPanel } from "./actions.tsx";
import { ConsolePanel } from "./console.tsx";
import { DomPanel } from "./dom.tsx";
import { InfoPanel } from "./info.tsx";
import { ModelPanel } from "./model.tsx";
import { NetworkPanel } from "./network.tsx";

export { Compare } from "./compare.tsx";
export { Dialogs } from "./dialogs.tsx";
export { Found, search } from "./found.tsx";
export { timeOfEvent } from "./ids.ts";
export { Peek } from "./peek.tsx";
export { beginReport, printReport, removeReport } from "./report.ts";
export { asMarkdown } from "./texts.ts";

/** All tabs but the story, which opens first. */
export const PANELS = {
  Actions: ActionsPanel,
  Console: ConsolePanel,
  Network: NetworkPanel,
  Model: ModelPanel,
  DOM: DomPanel,
  Info: InfoPanel,
} satisfies Record<Exclude<Tab, "Story">, unknown>;
