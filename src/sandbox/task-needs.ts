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
export function networksNamed(task: Task): NetworkPolicy["mode"][] {
  const phases = withParts(task).flatMap(({ agentNetwork, verifier }) => [
    agentNetwork,
    verifier.network,
  ]);
  const environments = environmentsIn(task).map(({ network }) => network);
  return [...environments, ...phases].flatMap((policy) => (policy ? [policy.mode] : []));
}

/** The networks that the phases of one sandbox have, where the task names none the default. */
export function networksOfPhases(
  task: Task,
  byDefault: NetworkPolicy["mode"],
): Set<NetworkPolicy["mode"]> {
  const shared = task.environment.network?.mode ?? byDefault;
  return new Set(
    withParts(task).flatMap(({ agentNetwork, verifier }) => [
      agentNetwork?.mode ?? shared,
      verifier.separate ? shared : (verifier.network?.mode ?? shared),
    ]),
  );
}

/** Every user that the task names. */
export function usersNamed(task: Task): string[] {
  return withParts(task).flatMap(({ agentUser, verifier }) =>
    [agentUser, verifier.user, ...verifier.collect.map(({ user }) => user)].filter(
      (user) => user !== null,
    ),
  );
}
