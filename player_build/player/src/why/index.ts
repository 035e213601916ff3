// Why a run failed: what went wrong first and what came of it. dist/why.js, in files of runs that tell of it.

export { FailedElements } from "./elements.tsx";
export { addFailureOutlines, addFailureExplanation } from "./report.tsx";
export { FailureExplanation } from "./failure-explanation.tsx";
