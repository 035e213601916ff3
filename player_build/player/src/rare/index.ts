// What few pages have: canvases, films, pictures that move, objects, the top layer, highlights, colours of selections, forced colours, messages beside
// fields, rings around areas, the browser's own views. dist/rare.js, in files of recordings that have any of it.

import "./style.css";

export { AreaFocusRing } from "./area-focus-ring.ts";
export { ValidationMessage } from "./validation-message.ts";
export { copyLoadedVideo } from "./video-copies.ts";
export { ObjectPictures } from "./object-pictures.ts";
export { FORCED_COLORS_SHEET, adaptToForcedColors } from "./forced-colors.ts";
export { paintHighlights } from "./highlights.ts";
export { paintTypedField } from "./typed-fields.ts";
export { TopLayer } from "./top-layer.ts";
export { BROWSER_STYLE_SHEET } from "./browser-sheet.ts";
export { AnimatedPictures } from "./animated-pictures.ts";
export {
  CanvasPictures,
  waitForCanvases,
  waitForMedia,
  paintVideoCaptions,
  paintMediaVolume,
  paintMediaPosition,
} from "./canvases-and-media.ts";
export { completeSelectionColors } from "./selection-colors.ts";
