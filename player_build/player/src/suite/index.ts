// A whole suite in one file: dist/suite.js, which stands in the files of `pagereel bundle` beside the player's core, and is run when they are opened.

export { openSuite as open } from "./open.tsx";
