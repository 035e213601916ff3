// The screens of a run, where the page would be: dist/screens.js, in files of runs that tell of screens alone.

export { Screens } from "./screens.tsx";
export { actionWords } from "./words.ts";
