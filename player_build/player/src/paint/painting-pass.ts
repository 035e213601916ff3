// What one painting of a document collects on its way. Each painting makes its own, so that nothing of one is left over for the next by chance.

import type { MediaPreferences } from "../history/document-log.ts";
import type { ModelNode } from "../state/node.ts";

/** What changed in one pass of painting, and is updated at its end. */
export class PaintingPass {
  /** Whether style sheets have changed, come, gone or moved. */
  sheetsTouched = false;
  /** Controls whose value, options or text have changed. */
  readonly touchedControls = new Set<number>();
  /** `<style>` elements whose texts have changed. */
  readonly touchedStyles = new Set<number>();
  /** How many elements, each within the other, are being built; and those whose children come when these are done. */
  nesting = 0;
  readonly deep: ModelNode[] = [];
  /** The parents of which a first look left children out: they come with the next painting. */
  readonly unbuilt = new Set<number>();

  /** `roomLeft`: how many nodes more a first look may have. */
  constructor(
    readonly preferences: MediaPreferences,
    public roomLeft = Number.POSITIVE_INFINITY,
  ) {}
}
