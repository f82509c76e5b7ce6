export { checkTasks } from "./check.js";
export {
  type CheckProgress,
  type CheckReport,
  POINTS,
  type Point,
  type PointStatus,
  type TaskReport,
} from "./types.js";
