// Two recordings beside each other: dist/beside.js, which stands in the files of `pagereel compare` beside the player's core, and is run when they are opened.

export { open } from "./open.tsx";
