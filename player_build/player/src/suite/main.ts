import * as suite from "./index.ts";

Object.assign(document.currentScript as object, suite);
