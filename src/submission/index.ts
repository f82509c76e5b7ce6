export { packSubmission } from "./pack.js";
export { readSubmittedRuns } from "./submitted.js";
export { type Verification, verifySubmission } from "./verify.js";
