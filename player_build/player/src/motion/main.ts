import * as motion from "./index.ts";

Object.assign(document.currentScript as object, motion);
