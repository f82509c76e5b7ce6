export { makeFolder, type StoredTrial, writeRun } from "../support/stored-run.js";
