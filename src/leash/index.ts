export { hideAll } from "./hidden.js";
export { type LeashChoice, openLeash } from "./open.js";
export { type LeashedProcess, type LeashedProgram, startLeashed } from "./start.js";
export type { Leash } from "./types.js";
