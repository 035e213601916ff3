// Why a run failed: what went wrong first and what came of it. dist/why.js, in files of runs that tell of it.

export { FailedElements } from "./elements.tsx";
export { addOutlines, addWhy } from "./report.tsx";
export { Why } from "./why.tsx";
