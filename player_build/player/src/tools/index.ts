// What a reader does beside playing: dist/tools.js, which stands in the file beside the player and is run when a key is pressed, something is
// searched for, the pointer is over the timeline or a step is compared (script-loading.ts).

export { StepComparison } from "./step-comparison.tsx";
export { SearchResults, searchRecording } from "./results.tsx";
export { findEventTime } from "./event-ids.ts";
export { handlePlayerKey, KeyboardHelp } from "./keyboard.tsx";
export { HoverPreview, PageThumbnail } from "./page-thumbnail.tsx";
