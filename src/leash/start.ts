import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Duplex, Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { getSystemErrorName } from "node:util";
import pTimeout from "p-timeout";
import { messageOf, TermRunError } from "../errors.js";
import { findDescendants, findProgram, killQuietly, listChildren } from "../process/index.js";
import { isolation } from "./arguments.js";
import { findLeashProgram, LEASH_PROGRAM } from "./program.js";
import { type LeashedProgram, sightsFor } from "./sights.js";
import type { Leash } from "./types.js";
import { viewArguments } from "./view.js";

export type { LeashedProgram };

/** Killed processes that still exist after this time are stuck in the kernel. */
const END_DEADLINE_MS = 30_000;
const GO = "g";

interface LeashedExit {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started, if it couldn't. */
  problem: string | null;
}

/** A program in namespaces of its own, and everything that it starts. */
export interface LeashedProcess {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** bubblewrap's own process, outside. */
  outer: number | null;
  /** Ids on the host: the program's, also that of its group, and the first process'; null: not started. */
  started: Promise<{ pid: number; first: number } | null>;
  /** Resolves when the program itself has ended; never rejects. */
  exit: Promise<LeashedExit>;
  /** Everything that the program started and that still exists. */
  listOthers(): Promise<number[]>;
  /** Kills every process in the namespaces, and waits until none is left. */
  end(): Promise<void>;
}

/** Starts a program on a leash, in a session of its own, with three pipes. */
export function startLeashed(leash: Leash, program: LeashedProgram): LeashedProcess {
  const child = spawn(leash.bwrap, argumentsFor(leash, program), {
    env: program.env,
    cwd: "/",
    // bwrap's own three and its report, the program's three, and the first process' socket.
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
  const [, , complaints, info, stdin, stdout, stderr, socket] = child.stdio as unknown as Duplex[];
  for (const stream of child.stdio) stream?.on("error", () => {});
  const over = new Promise<void>((resolve) => {
    child.once("exit", () => resolve()).once("error", () => resolve());
  });
  const failure = describeFailure(child, complaints as Readable, over);
  let known = 0;
  const first = text(info as Readable).then(
    (report) => {
      known = Number(/"child-pid": (\d+)/.exec(report)?.[1] ?? 0);
      return known;
    },
    () => 0,
  );
  const host = followFirst(socket as Duplex, first, failure);
  return {
    stdin: stdin as Writable,
    stdout: stdout as Readable,
    stderr: stderr as Readable,
    outer: child.pid ?? null,
    started: host.started,
    exit: host.exit,
    listOthers: async () => {
      const started = await host.started;
      const all = started ? await findDescendants(started.first) : [];
      return all.filter((pid) => pid !== started?.pid);
    },
    end: async () => {
      // The first process' id is its own as long as bwrap waits for it.
      const isOver = () => child.exitCode !== null || child.signalCode !== null;
      if (known > 0 && !isOver()) killQuietly(known, "SIGKILL");
      else child.kill("SIGKILL");
      await pTimeout(over, {
        milliseconds: END_DEADLINE_MS,
        message: new TermRunError("infra", "the agent's processes can't be killed"),
      });
      socket?.destroy();
    },
  };
}

function argumentsFor(leash: Leash, program: LeashedProgram): string[] {
  const { command, args, cwd, env } = program;
  const file = command.includes("/") ? command : (findProgram(command) ?? command);
  const own = findLeashProgram() as string;
  return [
    ...["--as-pid-1", "--info-fd", "3", ...isolation()],
    ...viewArguments(sightsFor(program, leash), cwd),
    ...["--ro-bind", own, LEASH_PROGRAM, "--chdir", "/"],
    ...["--", LEASH_PROGRAM, cwd, env.PWD === undefined ? "" : `PWD=${env.PWD}`, file, ...args],
  ];
}

/** Reads what the first process reports; leash.c says what that is. */
function followFirst(socket: Duplex, first: Promise<number>, failure: Promise<string>) {
  let start = (_: { pid: number; first: number } | null) => {};
  let finish = (_: LeashedExit) => {};
  const started = new Promise<{ pid: number; first: number } | null>((resolve) => {
    start = resolve;
  });
  const exit = new Promise<LeashedExit>((resolve) => {
    finish = resolve;
  });
  let hasStarted = false;
  let left = "";
  const follow = async (letter: string, value: number) => {
    if (letter === "s") {
      hasStarted = true;
      const root = await first;
      const [pid = null] = await listChildren(root);
      start(pid === null ? null : { pid, first: root });
      socket.write(GO);
    } else if (letter === "e") finish(failed(`spawn ${getSystemErrorName(-value)}`));
    else if (letter === "x") finish({ exitCode: value, signal: null, problem: null });
    else finish({ exitCode: null, signal: nameOf(value), problem: null });
  };
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (left + chunk).split("\n");
    left = lines.pop() as string;
    for (const line of lines) void follow(line.slice(0, 1), Number(line.slice(2)));
  });
  // Whatever killed the first process has killed the program with it.
  socket.once("close", async () => {
    if (hasStarted) finish({ exitCode: null, signal: "SIGKILL", problem: null });
    else finish(failed(await failure));
    start(null);
  });
  return { started, exit };
}

function failed(problem: string): LeashedExit {
  return { exitCode: null, signal: null, problem };
}

async function describeFailure(child: ChildProcess, complaints: Readable, over: Promise<void>) {
  let problem = "";
  child.once("error", (error) => {
    problem = messageOf(error);
  });
  const said = await text(complaints).catch(() => "");
  await over;
  return problem || said.trim() || "bwrap could not start it";
}

function nameOf(signal: number): NodeJS.Signals {
  const found = Object.entries(constants.signals).find(([, number]) => number === signal);
  return (found?.[0] ?? `SIG${signal}`) as NodeJS.Signals;
}
