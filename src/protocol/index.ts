export { encodeRequest } from "./encode.js";
export { readLines } from "./lines.js";
export { type AgentMessage, ResponseReader, tooLong } from "./reader.js";
export type { LegacyCommand, ResponseData, StepRequest, StepResponse } from "./types.js";
export { checkResponse } from "./validate.js";
