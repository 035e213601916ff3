import * as talk from "./index.ts";

Object.assign(document.currentScript as object, talk);
