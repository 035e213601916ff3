import * as rare from "./index.ts";

Object.assign(document.currentScript as object, rare);
