// The screens of a run, where the page would be: dist/screens.js, in files of runs that tell of screens alone.

export { RecordedScreens } from "./screens.tsx";
export { formatScreenAction } from "./action-text.ts";
