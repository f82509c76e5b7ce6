import type { Fields } from "../fields.js";
import type { Condition, Dependency } from "./project.js";
import { strings, tables, text } from "./values.js";

const CONDITIONS = [
  "service_started",
  "service_healthy",
  "service_completed_successfully",
] as const satisfies readonly Condition[];

/** What has to be there before it starts: said in `depends_on`, or following from other fields. */
export function readDependencies(fields: Fields): Dependency[] {
  const given = tables(fields, "depends_on").map(([name, entry]): Dependency => {
    entry.ignore("restart");
    return {
      name,
      condition: entry.choice("condition", CONDITIONS) ?? "service_started",
      required: text(entry, "required") !== "false",
    };
  });
  const implied = [
    ...strings(fields, "links").map((link) => link.split(":")[0]),
    ...["network_mode", "pid", "ipc"].map(
      (key) => /^service:(.+)/.exec(String(fields.raw(key)))?.[1],
    ),
    ...strings(fields, "volumes_from")
      .filter((entry) => !entry.startsWith("container:"))
      .map((entry) => entry.split(":")[0]),
  ].filter((name) => name !== undefined && !given.some((entry) => entry.name === name));
  return [
    ...given,
    ...[...new Set(implied as string[])].map(
      (name): Dependency => ({ name, condition: "service_started", required: true }),
    ),
  ];
}
