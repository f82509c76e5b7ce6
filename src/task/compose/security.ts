import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "../../errors.js";
import type { Fields } from "../fields.js";
import type { Scope } from "./scope.js";
import { strings, text } from "./values.js";

/** As the engine wants them: a seccomp profile is sent as its content. */
export function readSecurityOptions(fields: Fields, scope: Scope): string[] {
  return strings(fields, "security_opt").map((option) => {
    if (option === "systempaths=unconfined")
      scope.refused.push(
        fields.warning("security_opt", `"${option}" would give it this machine's kernel settings`),
      );
    const [, profile] = /^seccomp[=:](?!unconfined$|builtin$)(.+)$/.exec(option) ?? [];
    if (profile === undefined) return option;
    try {
      const content = readFileSync(resolve(scope.dir, profile), "utf8");
      return `seccomp=${JSON.stringify(JSON.parse(content))}`;
    } catch (error) {
      throw fields.problem("security_opt", `names ${profile}: ${messageOf(error)}`);
    }
  });
}

/** `pid` or `ipc`: its own, or that of another service. */
export function readNamespace(fields: Fields, key: "pid" | "ipc", scope: Scope): string | null {
  const value = text(fields, key);
  if (value === null || /^service:.+/.test(value)) return value;
  if (key === "ipc" && ["none", "private", "shareable"].includes(value)) return value;
  const whose = value === "host" ? "that of this machine" : "one from outside";
  scope.refused.push(fields.warning(key, `"${value}" would be ${whose}: trials must be isolated`));
  return null;
}
