import * as panels from "./index.ts";

Object.assign(document.currentScript as object, panels);
