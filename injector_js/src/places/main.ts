// What only pictures need is not part of the injector: the recorder brings it when the first picture of a document is taken (recorder/cdp/cdp_connection.py).

import { type ReadTextPositions, readTextPositions } from "./text-positions.ts";

declare global {
  /** Given by the recorder around this script (recorder/runtime/injector_script.py), which hands it to the injector's `places`. */
  var PAGEREEL_LOOK: ReadTextPositions;
}

PAGEREEL_LOOK = readTextPositions;
