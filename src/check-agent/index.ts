export { checkAgent } from "./check.js";
export type { CheckReport, Point, PointStatus } from "./types.js";
