// Animations, each in its phase: dist/motion.js, in files of recordings in which something may move.

export { Motion } from "./motion.ts";
export { animationPauser } from "./still.ts";
