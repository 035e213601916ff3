// Why a run failed: what went wrong first and what came of it. dist/why.js, in files of runs that tell of it.

export { addWhy } from "./report.ts";
export { Why } from "./why.tsx";
