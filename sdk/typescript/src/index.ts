export { Agent, type Solve } from "./agent.js";
export { CommandResult } from "./command-result.js";
export { GiveUp } from "./give-up.js";
export { type Limits, limits } from "./limits.js";
export { Request, Request as AgentRequest, type RequestFields } from "./request.js";
export {
  Response,
  Response as AgentResponse,
  type ResponseData,
  type ResponseFields,
  type Usage,
} from "./response.js";
export { run } from "./run.js";
export { type CommandOptions, runScript, type Script, Terminal } from "./script.js";
export { SessionClosed } from "./session.js";
