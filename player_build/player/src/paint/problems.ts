// Nothing that fails for one node, sheet or animation may keep the rest of a page from showing. What failed is told in the Info panel.

/** What could not be shown as it was recorded, once each. */
export const paintProblems = new Set<string>();

/** More kinds than this are not told. */
const MOST = 50;

/** What `work` gives; undefined where it throws. `what` names it for the reader. */
export function attempt<T>(what: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    told(`${what}: ${error}`);
    return undefined;
  }
}

function told(what: string): void {
  if (paintProblems.size < MOST) paintProblems.add(what.slice(0, 300));
}

/** What Chromium shows and some other browser does not, or not yet. */
const NEW =
  /(?<![\w-])((?:(?:animation|scroll|view)-timeline|anchor-name|position-area|field-sizing|interpolate-size|corner-shape|text-box-trim|content-visibility)\s*:|appearance\s*:\s*base-select)/gi;

/** Tells of what a style sheet says that this browser does not know: what it is about shows otherwise than it was recorded. */
export function reportUnknownCss(css: string): void {
  for (const [found] of css.matchAll(NEW)) {
    const word = found.replace(/\s+/g, "").toLowerCase();
    const known = globalThis.CSS?.supports(word.endsWith(":") ? `${word} initial` : word) ?? true;
    if (!known) told(`this browser does not know "${word.replace(/:$/, "")}", by which the page was shown`);
  }
}
