import type Docker from "dockerode";
import { TermRunError } from "../../../errors.js";
import type { Condition } from "../../../task/index.js";
import type { ContainerStates } from "./container-states.js";

type State = Docker.ContainerInspectInfo["State"];

/** `running`: or healthy, where it has a health check; what `docker compose up --wait` waits for. */
export type Wanted = Condition | "running";

/** Waits until a service is what another one, or the agent, needs it to be. */
export async function awaitCondition(
  states: ContainerStates,
  service: { name: string; container: string },
  wanted: Wanted,
  signals: { deadline: AbortSignal; signal: AbortSignal },
): Promise<void> {
  if (wanted === "service_started") return;
  let last: State | null = null;
  try {
    const problem = await states.until(
      service.container,
      (state) => {
        last = state;
        return CHECKS[wanted](state);
      },
      signals.deadline,
    );
    if (problem !== "") throw failed(service.name, problem);
  } catch (error) {
    signals.signal.throwIfAborted();
    if (error instanceof TermRunError || !signals.deadline.aborted) throw error;
    throw failed(service.name, `was not ready in time: it is ${describe(last)}`);
  }
}

/** "" when it is as wanted, null when it may still become so, else what is wrong. */
const CHECKS: Record<Exclude<Wanted, "service_started">, (state: State) => string | null> = {
  service_completed_successfully: (state) => {
    if (!isOver(state)) return null;
    return state.ExitCode === 0 ? "" : `exited with code ${state.ExitCode}`;
  },
  service_healthy: (state) => {
    if (isOver(state)) return `exited with code ${state.ExitCode}`;
    if (!state.Health) return state.Running ? "has no health check" : null;
    return health(state);
  },
  running: (state) => {
    if (isOver(state)) return `exited with code ${state.ExitCode}`;
    if (!state.Running || state.Restarting) return null;
    return state.Health ? health(state) : "";
  },
};

function health({ Health }: State): string | null {
  if (Health?.Status === "healthy" || Health?.Status === "none") return "";
  if (Health?.Status !== "unhealthy") return null;
  return `is not healthy: ${Health.Log?.at(-1)?.Output ?? ""}`;
}

function isOver({ Status }: State): boolean {
  return Status === "exited" || Status === "dead";
}

function describe(state: State | null): string {
  return state?.Health?.Status ?? state?.Status ?? "not there";
}

function failed(name: string, how: string): TermRunError {
  return new TermRunError("infra", `the service ${name} ${how}`);
}
