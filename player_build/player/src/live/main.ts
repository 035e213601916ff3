// Gives the core what this script exports: it stands on the script's own element (script-loading.ts).

import * as live from "./index.ts";

Object.assign(document.currentScript as object, live);
