import type { Environment, NetworkPolicy, Task } from "../interfaces/index.js";

/** The task and its parts: the sandbox must have whatever one of them needs. */
export function withParts(task: Task): Task[] {
  return [task, ...(task.parts?.list.map((part) => part.task) ?? [])];
}

/** Every environment that a trial of the task needs. */
export function environmentsIn(task: Task): Environment[] {
  return withParts(task).flatMap(({ environment, verifier }) =>
    verifier.separate ? [environment, verifier.separate] : [environment],
  );
}

/** Every network that the task names. */
export function networksNamed(task: Task): NetworkPolicy[] {
  const phases = withParts(task).flatMap(({ agentNetwork, verifier }) => [
    agentNetwork,
    verifier.network,
  ]);
  const environments = environmentsIn(task).map(({ network }) => network);
  return [...environments, ...phases].filter((policy) => policy !== null);
}

/** The networks that the phases of one sandbox have, where the task names none the default. */
export function policiesOfPhases(task: Task, byDefault: NetworkPolicy): NetworkPolicy[] {
  const shared = task.environment.network ?? byDefault;
  return withParts(task).flatMap(({ agentNetwork, verifier }) => [
    agentNetwork ?? shared,
    verifier.separate ? shared : (verifier.network ?? shared),
  ]);
}

/** How far they reach. */
export function networksOfPhases(
  task: Task,
  byDefault: NetworkPolicy["mode"],
): Set<NetworkPolicy["mode"]> {
  // What a list of hosts has in it makes no difference here.
  const usual = byDefault === "allowlist" ? { mode: byDefault, hosts: [] } : { mode: byDefault };
  return new Set(policiesOfPhases(task, usual).map(({ mode }) => mode));
}

/** Every user that the task names. */
export function usersNamed(task: Task): string[] {
  return withParts(task).flatMap(({ agentUser, verifier }) =>
    [agentUser, verifier.user, ...verifier.collect.map(({ user }) => user)].filter(
      (user) => user !== null,
    ),
  );
}
