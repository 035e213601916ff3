import * as take from "./index.ts";

Object.assign(document.currentScript as object, take);
