import * as screens from "./index.ts";

Object.assign(document.currentScript as object, screens);
