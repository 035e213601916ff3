// Gives the core what this script exports: it stands on the script's own element (script-loading.ts).

import * as tools from "./index.ts";

Object.assign(document.currentScript as object, tools);
