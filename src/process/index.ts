export { findProgram, isExecutable } from "./find-program.js";
export { findDescendants, findMarked, killMarked, killQuietly, MARKER_VARIABLE } from "./marked.js";
export {
  listChildren,
  listStats,
  readCommandLine,
  readDescriptors,
  readStartTime,
  readSystemCalls,
} from "./proc.js";
export { Teardown } from "./teardown.js";
export { Watchdog } from "./watchdog.js";
