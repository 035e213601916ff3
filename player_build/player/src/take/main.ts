import * as late from "./late.ts";

Object.assign(document.currentScript as object, late);
