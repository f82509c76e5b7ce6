export { attachPerson, type Person } from "./attach.js";
export { readIgnore } from "./docker/builder/ignore.js";
export { layOut } from "./docker/layout.js";
export { DEFAULT_DOWNLOAD_LIMITS } from "./download-limits.js";
export { makeScratchFolder, removeScratchFolder } from "./folder.js";
export { DEFAULT_IMAGE, openProvider, SANDBOX_CHOICES } from "./kinds.js";
export { findRefusal } from "./refusal.js";
