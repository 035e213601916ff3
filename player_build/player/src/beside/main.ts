import * as beside from "./index.ts";

Object.assign(document.currentScript as object, beside);
