export { digestFolder } from "./digest.js";
export { findTasks } from "./find.js";
export { readTask } from "./read.js";
export { findTaskFolders } from "./walk.js";
