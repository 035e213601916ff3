// Animations, each in its phase: dist/motion.js, in files of recordings in which something may move.

export { AnimationPainter } from "./animation-painter.ts";
export { createTransitionBlocker } from "./transition-blocker.ts";
