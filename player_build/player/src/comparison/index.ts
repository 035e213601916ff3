// Two recordings beside each other: dist/comparison.js, which stands in the files of `pagereel compare` beside the player's core, and is run when they are opened.

export { openComparison as open } from "./open.tsx";
