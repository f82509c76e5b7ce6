import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { TermRunError } from "../../errors.js";
import { findProgram, isExecutable } from "../../process/index.js";
import { BUILTIN_AGENTS } from "../builtin/all.js";

export interface AgentCommand extends Program {
  /** The folder that it is started in. */
  cwd: string;
}

interface Program {
  name: string;
  command: string;
  args: string[];
}

const SCRIPTS: Record<string, string[]> = {
  ".py": ["python3"],
  ".js": [process.execPath],
  ".mjs": [process.execPath],
  ".cjs": [process.execPath],
  ".ts": [process.execPath, "--import", import.meta.resolve("tsx")],
  ".sh": ["bash"],
};

/** Finds out how to start what `--agent` names, or says clearly why it can't be started. */
export function resolveAgent(spec: string, cwd = process.cwd()): AgentCommand {
  return { ...resolveProgram(spec, cwd), cwd };
}

function resolveProgram(spec: string, cwd: string): Program {
  const path = resolve(cwd, spec);
  if (spec.trim() !== "" && existsSync(path)) return resolvePath(path);
  const [program = "", ...more] = spec.trim().split(/\s+/);
  if (more.length > 0) return resolveCommandLine(spec, cwd);
  const found = program.includes("/") ? null : findProgram(program);
  if (found) return { name: program, command: found, args: [] };
  throw unusable(
    `agent not found: "${spec}" is not a file, folder, built-in agent or program`,
    `Built-in agents: ${[...BUILTIN_AGENTS.keys()].join(", ")}. Otherwise give a path (./my-agent.py), or a command line in quotes.`,
  );
}

function resolvePath(path: string): Program {
  return statSync(path).isDirectory() ? resolveFolder(path) : resolveFile(path);
}

function resolveFolder(dir: string): Program {
  const name = basename(dir);
  const entry = packageEntry(dir);
  if (entry) {
    if (!existsSync(entry))
      throw unusable(
        `${dir}/package.json names ${entry}, which doesn't exist`,
        "Build the agent, or fix bin or main.",
      );
    return { ...resolveFile(entry), name };
  }
  for (const suffix of ["", ...Object.keys(SCRIPTS)]) {
    const file = join(dir, `agent${suffix}`);
    if (existsSync(file) && statSync(file).isFile()) return { ...resolveFile(file), name };
  }
  throw unusable(
    `no agent found in the folder ${dir}`,
    "It needs a package.json with bin or main, or a file named agent, agent.py, agent.mjs, …",
  );
}

function packageEntry(dir: string): string | null {
  const file = join(dir, "package.json");
  if (!existsSync(file)) return null;
  let content: { bin?: string | Record<string, string>; main?: string };
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw unusable(`${file} can't be read: ${(error as Error).message}`, "Fix the JSON.");
  }
  const { bin, main } = content;
  const entry = typeof bin === "string" ? bin : (Object.values(bin ?? {})[0] ?? main);
  return entry ? join(dir, entry) : null;
}

/** A `#!` line takes precedence over the file's extension; a script needs no execute permission. */
function resolveFile(file: string): Program {
  const name = basename(file).replace(/\.(py|[cm]?js|ts|sh)$/, "");
  const byExtension = SCRIPTS[extname(file)];
  if (!byExtension) {
    if (!isExecutable(file))
      throw unusable(`${file} is not executable`, `Make it executable: chmod +x ${file}`);
    const line = readShebang(file);
    if (line) requireProgram(line[0] as string, file);
    return { name, command: file, args: [] };
  }
  const [command = "", ...args] = readShebang(file) ?? byExtension;
  return { name, command: requireProgram(command, file), args: [...args, file] };
}

function readShebang(file: string): string[] | null {
  const start = readFileSync(file).subarray(0, 256).toString("latin1");
  if (!start.startsWith("#!")) return null;
  const words = (start.slice(2).split("\n")[0] ?? "").trim().split(/\s+/);
  const viaEnv = basename(words[0] ?? "") === "env";
  const direct = viaEnv ? words.slice(words[1] === "-S" ? 2 : 1) : words;
  return direct.length > 0 ? direct : null;
}

/** Builtins and keywords of the shell, which aren't on the PATH. */
const SHELL_BUILTINS = new Set([
  "cd",
  "exec",
  "export",
  "eval",
  "ulimit",
  "umask",
  ".",
  "source",
  "if",
]);

function resolveCommandLine(line: string, cwd: string): Program {
  const words = line.trim().split(/\s+/);
  const program = words.find((word) => !/^\w+=/.test(word)) ?? "";
  const plain = program.replace(/^['"]|['"]$/g, "");
  if (/^[\w./+-]+$/.test(plain) && plain === program && !SHELL_BUILTINS.has(plain)) {
    const exists = plain.includes("/") ? isExecutable(resolve(cwd, plain)) : findProgram(plain);
    if (!exists)
      throw unusable(
        `the agent's command line starts with ${plain}, which can't be found or executed`,
        "Check the path, its execute permission, and that the program is installed.",
      );
  }
  return { name: basename(plain), command: "/bin/sh", args: ["-c", line] };
}

function requireProgram(program: string, file: string): string {
  const found = program.includes("/") ? isExecutable(program) && program : findProgram(program);
  if (found) return found;
  throw unusable(
    `${file} needs ${program}, which is not installed here`,
    `Install ${basename(program)}, or name another interpreter: --agent "other-interpreter ${file}"`,
  );
}

function unusable(message: string, hint: string): TermRunError {
  return new TermRunError("agent_unusable", message, { hint });
}
