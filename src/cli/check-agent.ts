import type { Command } from "commander";
import { filterEnvironment, resolveAgent } from "../agent/index.js";
import { type CheckReport, checkAgent } from "../check-agent/index.js";
import { TermRunError } from "../errors.js";
import { Redactor } from "../events/index.js";
import { createPalette, describeCheck } from "../report/index.js";
import { EXIT } from "./exit-codes.js";
import { listenForInterrupt } from "./interrupt.js";
import { openCheckLeash } from "./leash.js";
import { collect, positive } from "./options.js";
import { TRUST_HELP } from "./run-options.js";

interface CheckFlags {
  env: string[];
  timeout: number;
  instruction?: string;
  trustAgent?: boolean;
  json: boolean;
}

const PLAIN_COLUMNS = 120;

const NOTES = `
Examples:
  term-run check-agent ./my-agent.py
  term-run check-agent "python3 -m my_agent" --env OPENAI_API_KEY --timeout 120
  term-run check-agent ./my-agent --json > check.json

No command is run: the terminal is simulated. The agent is started several times, for about 25 steps
in all.

Exit codes: 0 all passed; 1 something failed; 2 bad usage or an agent that can't be started;
130 interrupted.`;

/** \`term-run check-agent AGENT\`: does it follow the protocol? */
export function addCheckAgentCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("check-agent")
    .description("check whether an agent follows the protocol, point by point")
    .argument("<agent>", "a program, script or folder, or a command line in quotes")
    .option("-e, --env <name[=value]>", "pass this variable to the agent (repeatable)", collect, [])
    .option("--timeout <sec>", "time for the agent to answer", positive, 60)
    .option("--instruction <text>", "the instruction for the agent")
    .option("--trust-agent", TRUST_HELP)
    .option("--json", "print one JSON document, nothing else", false)
    .addHelpText("after", NOTES)
    .action(async (agent: string, flags: CheckFlags) => exit(await check(agent, flags)));
}

async function check(spec: string, flags: CheckFlags): Promise<number> {
  if (spec === "oracle" || spec === "nop")
    throw new TermRunError("usage", `the agent ${spec} is built in: there is nothing to check`);
  const environment = filterEnvironment(process.env, flags.env);
  const command = resolveAgent(spec);
  const redactor = new Redactor(environment.secrets);
  const leash = await openCheckLeash(flags.trustAgent === true);
  const interrupt = listenForInterrupt("stopping the agent");
  try {
    const report = await checkAgent({
      command,
      environment,
      leash,
      timeoutSec: flags.timeout,
      instruction: flags.instruction,
      redact: (text) => redactor.text(text),
      signal: interrupt.signal,
    });
    print(report, flags.json);
    return report.ok ? EXIT.ok : EXIT.below;
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    interrupt.stop();
  }
}

function print(report: CheckReport, json: boolean): void {
  const { stdout } = process;
  const lines = json
    ? [JSON.stringify(report, null, 2)]
    : describeCheck(report, stdout.columns || PLAIN_COLUMNS, createPalette(stdout.isTTY === true));
  stdout.write(`${lines.join("\n")}\n`);
}
