import * as tools from "./index.ts";

Object.assign(document.currentScript as object, tools);
