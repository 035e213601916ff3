import * as live from "./index.ts";

Object.assign(document.currentScript as object, live);
