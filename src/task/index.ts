export { cacheFolder } from "./cache.js";
export type { Unreadable } from "./candidate.js";
export {
  type DatasetFacts,
  fetchDataset,
  listDatasets,
  showDataset,
  type TaskFacts,
} from "./catalog.js";
export type {
  Attachment,
  Build,
  Condition,
  ContainerFile,
  Dependency,
  Mount,
  NetworkDefinition,
  Service,
} from "./compose/project.js";
export { readCompose } from "./compose/read.js";
export { digestFolder } from "./digest.js";
export {
  describeUnreadable,
  type FoundTasks,
  findTasks,
} from "./find.js";
export { selectByName } from "./names.js";
export { readRecordedTasks } from "./recorded.js";
export type { FetchOptions } from "./sources.js";
