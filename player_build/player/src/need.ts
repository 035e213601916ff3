// The player's scripts that are run only when something asks for them. They stand in the file beside the core, inert (template.html.j2), and the
// policy knows the hash of each.

import * as kit from "./kit.ts";
import type * as panels from "./panels/index.ts";
import type * as take from "./take/late.ts";

interface Scripts {
  /** The tabs beside the story, the dialogs, what a search finds, the picture over the timeline, the comparison, the printed report. */
  panels: typeof panels;
  /** The page as a picture or file, the network as HAR. */
  take: typeof take;
}

const run: Partial<Scripts> = {};

/** What a script by need gives; the first time it is run, at once. */
export function need<N extends keyof Scripts>(name: N): Scripts[N] {
  let script = run[name] as Scripts[N] | undefined;
  if (!script) {
    const element = Object.assign(document.createElement("script"), { kit });
    element.textContent = document.getElementById(`pagereel-${name}`)?.textContent ?? "";
    document.head.append(element);
    run[name] = script = element as unknown as Scripts[N];
  }
  return script;
}
