import * as why from "./index.ts";

Object.assign(document.currentScript as object, why);
