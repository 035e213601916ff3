// What few pages have: canvases, films, pictures that move, objects, the top layer, highlights, colours of selections, forced colours, messages beside
// fields, rings around areas, the browser's own views. dist/rare.js, in files of recordings that have any of it.

import "./style.css";

export { AreaRing } from "./area.ts";
export { Bubble } from "./bubble.ts";
export { twinWithoutControls } from "./films.ts";
export { Embedded } from "./embedded.ts";
export { FORCED_COLORS_SHEET, withForcedColors } from "./forced.ts";
export { paintHighlights } from "./highlights.ts";
export { paintTyped } from "./typed.ts";
export { TopLayer } from "./layer.ts";
export { BROWSER_SHEET } from "./builtin.ts";
export { Films } from "./moving.ts";
export { CanvasPictures, canvasesDrawn, mediaReady, paintCues, paintMedia, paintPosition } from "./pixels.ts";
export { pairSelection } from "./selected.ts";
