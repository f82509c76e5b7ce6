import type { Agent, AgentContext, AgentSession, Turn, WorkEnd } from "../../interfaces/index.js";
import type { AgentEnvironment } from "../environment.js";
import { type Ending, endingOf } from "../work-end.js";
import { limitVariables } from "./limit-variables.js";
import { AgentProcess } from "./process.js";
import type { AgentCommand } from "./resolve.js";
import { runSteps } from "./steps.js";

const NOISE_SHOWN = 2_000;

interface Program {
  command: AgentCommand;
  environment: AgentEnvironment;
}

/** Any program that reads a JSON line on stdin and answers with one on stdout. */
export class CommandAgent implements Agent {
  readonly name: string;
  readonly #program: Program;

  constructor(command: AgentCommand, environment: AgentEnvironment) {
    this.name = command.name;
    this.#program = { command, environment };
  }

  async open(context: AgentContext): Promise<AgentSession> {
    return new CommandSession(this.#program, context);
  }
}

class CommandSession implements AgentSession {
  readonly #program: Program;
  readonly #context: AgentContext;
  #process: AgentProcess | null = null;

  constructor(program: Program, context: AgentContext) {
    this.#program = program;
    this.#context = context;
  }

  /** Starts a fresh process for the instruction, and ends it whatever happens. */
  async work(instruction: string, turn: Turn): Promise<WorkEnd> {
    const { command, environment } = this.#program;
    const agent = this.#start(turn);
    let ending: Ending;
    try {
      turn.emit({
        type: "agent_started",
        command: [command.command, ...command.args],
        pid: await agent.started,
        withheld_env: environment.withheld,
      });
      ending = this.#addHint(await runSteps(agent, instruction, turn));
    } catch (error) {
      ending = endingOf(error, turn.signal);
    }
    const exit = await agent.end({ gentle: ending.end === "completed" });
    return { ...ending, exit };
  }

  async close(): Promise<void> {
    await this.#process?.end({ gentle: false });
  }

  #start(turn: Turn): AgentProcess {
    const { command, environment } = this.#program;
    const { task, limits, timeoutSec, terminal, emit } = turn;
    const { attempt, watchdog, leash } = this.#context;
    const variables = limitVariables({ taskName: task.name, attempt, limits, timeoutSec });
    this.#process = new AgentProcess({
      command,
      env: { ...environment.env, ...variables },
      leash,
      watchdog,
      observer: {
        noise: (text) =>
          emit({ type: "agent_noise", step: terminal.steps, text: text.slice(0, NOISE_SHOWN) }),
      },
      onStderr: (text) => emit({ type: "agent_stderr", text }),
    });
    return this.#process;
  }

  /** A missing API key is the usual reason for a crash. */
  #addHint(ending: Ending): Ending {
    const { withheld } = this.#program.environment;
    if (ending.end !== "agent_crashed" || !ending.error || withheld.length === 0) return ending;
    const hint = `These variables were withheld from the agent: ${withheld.join(", ")}. Pass one with --env NAME.`;
    return { ...ending, error: { ...ending.error, hint } };
  }
}
