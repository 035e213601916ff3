// What a reader does beside playing: dist/tools.js, which stands in the file beside the player and is run when a key is pressed, something is
// searched for, the pointer is over the timeline or a step is compared (scripts.ts).

export { Compare } from "./compare.tsx";
export { SearchResults, search } from "./results.tsx";
export { timeOfEvent } from "./ids.ts";
export { handleKey, Help } from "./keys.tsx";
export { HoverPreview, PagePicture } from "./preview.tsx";
