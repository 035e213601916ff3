// The tabs beside the page: dist/panels.js, which stands in the file beside the player and is run when they are first shown (script-loading.ts): never for `#bare`.

export { SidePanel } from "./side-panel.tsx";
export { PANELS } from "./table.ts";
