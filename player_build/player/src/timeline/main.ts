import * as timeline from "./index.ts";

Object.assign(document.currentScript as object, timeline);
