// What few pages have: canvases, films, the top layer, highlights, forced colours, messages beside fields, rings around areas. dist/rare.js, in files of recordings that have any of it.

import "./style.css";

export { AreaRing } from "./area.ts";
export { Bubble } from "./bubble.ts";
export { FORCED } from "./forced.ts";
export { calmTwin } from "./films.ts";
export { paintHighlights } from "./highlights.ts";
export { paintTyped } from "./typed.ts";
export { TopLayer } from "./layer.ts";
export { CanvasPictures, canvasesDrawn, mediumShows, paintCues, paintMedia, paintPosition } from "./pixels.ts";
