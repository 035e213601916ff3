// The tabs beside the page: dist/panels.js, which stands in the file beside the player and is run when they are first shown (scripts.ts): never for `#bare`.

export { SidePanel } from "./side.tsx";
export { PANELS } from "./table.ts";
