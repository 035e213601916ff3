// The player's scripts that are run only when something asks for them. They stand in the file beside the core, inert (template.html.j2), and the
// policy knows the hash of each.

import type * as beside from "./beside/index.ts";
import type * as panels from "./panels/index.ts";
import type * as take from "./take/index.ts";
import type * as timeline from "./timeline/index.ts";
import type * as tools from "./tools/index.ts";

interface Scripts {
  /** Two recordings beside each other: in files that hold two, and in no others. */
  beside: typeof beside;
  /** The tabs beside the page. */
  panels: typeof panels;
  timeline: typeof timeline;
  /** The keyboard and its help, search, the picture over the timeline, the comparison. */
  tools: typeof tools;
  /** Links, Markdown, the page as a picture or file, the network as HAR, the printed report. */
  take: typeof take;
}

type Run<N extends keyof Scripts> = Partial<Scripts[N]>;

const run: { [N in keyof Scripts]?: Run<N> } = {};
let kit: object = {};
let tell = (): void => {};

/** Gives what the scripts share with the core (kit.ts), and what to do when one is not as it was built, so that the policy does not let it run. */
export function give(shared: object, changed: () => void): void {
  kit = shared;
  tell = changed;
}

/** What a script by need gives, nothing if it may not run; the first time it is run, at once. */
export function need<N extends keyof Scripts>(name: N): Run<N> {
  let script: Run<N> | undefined = run[name];
  if (!script) {
    const element = Object.assign(document.createElement("script"), { kit });
    element.textContent = document.getElementById(`pagereel-${name}`)?.textContent ?? "";
    document.head.append(element);
    script = element as object as Run<N>;
    (run as Record<string, unknown>)[name] = script;
    if (Object.keys(element).length < 2) queueMicrotask(tell); // It has the kit alone.
  }
  return script;
}
