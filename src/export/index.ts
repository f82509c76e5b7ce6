export { exportRun, FORMATS, type Format } from "./write.js";
