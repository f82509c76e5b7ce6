/** What both agents and tests may write to, whoever they run as; paths from the root. */
export const LOG_FOLDERS = ["logs/agent", "logs/artifacts", "logs/verifier"];
