import { join } from "node:path";
import { findProgram } from "./install.mjs";
import { say } from "./log.mjs";
import { projectFolder } from "./project.mjs";
import { runInForeground } from "./signals.mjs";

/** The SDKs in other languages are tested with their languages' own tools. */
const suites = [
  { folder: "sdk/python", program: "python3", args: ["-m", "unittest", "discover"] },
  { folder: "sdk/rust", program: "cargo", args: ["test", "--quiet"] },
];

/** The lines that say which suites can't run here. */
export function missingSdkTools() {
  return suites
    .filter(({ program }) => !findProgram(program))
    .map(
      ({ folder, program }) => `THE SUITE OF ${folder} IS SKIPPED: ${program} is not installed.`,
    );
}

/** Runs every suite that can run here; the first failure's exit code, else 0. */
export async function runSdkSuites() {
  let first = 0;
  for (const { folder, program, args } of suites) {
    if (!findProgram(program)) continue;
    say(`testing ${folder}`);
    const code = await runInForeground(program, args, { cwd: join(projectFolder, folder) });
    first ||= code;
  }
  return first;
}
