// The timeline: dist/timeline.js, which stands in the file beside the player and is run when it is first shown (script-loading.ts): never for `#bare`.

export { Timeline } from "./timeline.tsx";
