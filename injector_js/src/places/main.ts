// What only pictures need is not part of the injector: the recorder brings it when the first picture of a document is taken (recorder/cdp/cdp_connection.py).

import { type ReadPlaces, readPlaces } from "./places.ts";

declare global {
  /** Given by the recorder around this script (recorder/runtime/script.py), which hands it to the injector's `places`. */
  var PAGEREEL_LOOK: ReadPlaces;
}

PAGEREEL_LOOK = readPlaces;
