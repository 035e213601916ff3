// Nothing that fails for one node, sheet or animation may keep the rest of a page from showing. What failed is told in the Info panel.

/** The sentences about everything that could not be shown as it was recorded, each once. */
export const paintProblems = new Set<string>();

/** More kinds than this are not told. */
const MOST = 50;

/**
 * Calls `work`, and returns its result. If it throws, notes a problem under the name `what`, and returns undefined.
 */
export function tryToPaint<T>(what: string, work: () => T): T | undefined {
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

/**
 * Notes as a problem each word of a style sheet that this browser does not support, because elements may look
 * different without it.
 */
export function reportUnknownCss(css: string): void {
  for (const [found] of css.matchAll(NEW)) {
    const word = found.replace(/\s+/g, "").toLowerCase();
    const known = globalThis.CSS?.supports(word.endsWith(":") ? `${word} initial` : word) ?? true;
    if (!known) told(`this browser does not know "${word.replace(/:$/, "")}", by which the page was shown`);
  }
}
