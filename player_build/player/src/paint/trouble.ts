// Nothing that fails for one node, sheet or animation may keep the rest of a page from showing. What failed is told in the Info panel.

/** What could not be shown as it was recorded, once each. */
export const troubles = new Set<string>();

/** More kinds than this are not told. */
const MOST = 50;

/** What `work` gives; undefined where it throws. `what` names it for the reader. */
export function attempt<T>(what: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (troubles.size < MOST) troubles.add(`${what}: ${error}`.slice(0, 300));
    return undefined;
  }
}
