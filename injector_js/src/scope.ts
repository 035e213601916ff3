// What the parts of one document's recording share.

import type { Tree } from "./encoding/ops.ts";
import type { ModelMirror } from "./mirror.ts";
import type { NativeFunctions } from "./natives.ts";
import type { CapturePace } from "./pace.ts";
import type { MaskedFields } from "./policy.ts";
import type { TransactionStream } from "./stream.ts";

/** The objects that all parts of one document's recording share. */
export interface RecordingScope {
  readonly document: Document;
  readonly window: Window & typeof globalThis;
  readonly natives: NativeFunctions;
  readonly mirror: ModelMirror;
  readonly masks: MaskedFields;
  readonly stream: TransactionStream;
  readonly pace: CapturePace;
  /** Whether the recorder can be asked for what only the browser's own protocol tells. */
  readonly canQuery: boolean;
  /** The node's id while it is part of the recording, else 0. Whoever keeps it is told when it is forgotten. */
  follow(node: Node): number;
  /** Whether all of the page is in the recording: what is not has no id yet. */
  complete(): boolean;
  /** The tree of a shadow root that appeared on the element with the id `host`. */
  encode(root: ShadowRoot, host: number): Tree;
}
