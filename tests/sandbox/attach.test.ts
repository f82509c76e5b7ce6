import { fileURLToPath } from "node:url";
import { type IPty, spawn } from "@lydell/node-pty";
import { afterEach, describe, expect, it } from "vitest";
import { KINDS, type Kind } from "./kinds.js";
import { Shown } from "./reading.js";

const PROGRAM = fileURLToPath(new URL("programs/attach.ts", import.meta.url));

/** A process, a sandbox and a dozen keystrokes, on a busy machine. */
const timeout = 240_000;

describe.each(KINDS)("a person's terminal ($name)", { timeout }, (kind: Kind) => {
  let pty: IPty;
  let screen: Shown;
  let ended: Promise<number>;

  function sitDown(): void {
    screen = new Shown();
    pty = spawn(process.execPath, ["--import", "tsx", PROGRAM, kind.name], {
      cols: 91,
      rows: 33,
      env: process.env as Record<string, string>,
    });
    pty.onData((text) => screen.add(text));
    ended = new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  afterEach(() => pty.kill("SIGKILL"));

  it("is connected to a shell in the sandbox: directory, keys, size and exit code", async () => {
    sitDown();
    await screen.until(/attaching\r\n.*[#$] /s);
    pty.write('echo "in=$PWD=$((6 * 7))"\r');
    await screen.until(/in=\S*\/app\/a b=42\r+\n/);
    pty.write("stty size\r");
    await screen.until(/33 91\r+\n/);
    pty.resize(120, 40);
    pty.write("while [ \"$(stty size)\" != '40 120' ]; do :; done; echo re''sized\r");
    await screen.until(/resized\r+\n/);
    // One process, since a shell may miss the key while it starts another.
    pty.write(`awk 'BEGIN { print "be" "gun"; fflush(); getline }'\r`);
    await screen.until(/begun\r+\n/);
    pty.write("\x03");
    await screen.until(/begun\r+\n.*[#$] /s);
    pty.write("exit 7\r");
    await screen.until("left with exit code 7, terminal restored");
    expect(await ended).toBe(0);
  });

  it("is restored when the run is cancelled", async () => {
    sitDown();
    await screen.until(/attaching\r\n.*[#$] /s);
    process.kill(pty.pid, "SIGUSR1");
    await screen.until("left with error stopped, terminal restored");
    expect(await ended).toBe(0);
  });
});
