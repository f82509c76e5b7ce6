import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasBubblewrap, makePlace, type Place, termRun } from "./cli.js";
import { runCommand } from "./command.js";
import { writeTask } from "./tasks.js";
import { expectNoTraces } from "./traces.js";

const NOBODY = 65534;
const KEY = "sk-leash-0123456789";

/** Looks everywhere it should not, tries to stay, and completes. */
const CURIOUS = `#!/usr/bin/env bash
read -r line
{
  cat tasks/secret/tests/test.sh tasks/secret/solution/solve.sh tasks/secret/task.toml
  grep -rs "SECRET"_OF_THE_TESTS "$PWD" && echo found
  ls -A "$OUT" "$OUT/.." | sed 's/^/out: /'
  tr '\\0' '\\n' </proc/$PPID/environ
  for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline | sed "s|^|process: |"; echo; done
  cat kubeconfig
  python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('$SOCKET'); print('connected')"
  for p in /proc/[0-9]*; do if tr '\\0' ' ' <$p/cmdline | grep -q "main.js.*$OUT"; then kill -9 \${p#/proc/}; fi; done
  env -i setsid sh -c 'while :; do for f in '"$OUT"'/trials/*/result.json; do [ -f "$f" ] && echo forged >"$f"; done; done' >/dev/null 2>&1 &
} >&2
echo '{"task_complete": true}'
read -r line
`;

function prepare() {
  const place = makePlace();
  Object.assign(place.env, { HOME: place.dir, OUT: place.out, LEASH_API_KEY: KEY });
  const task = writeTask(place, "secret", {
    "tests/test.sh": "#!/bin/sh\n# SECRET_OF_THE_TESTS\nexit 1\n",
    "solution/solve.sh": "#!/bin/sh\n# SECRET_OF_THE_SOLUTION\n",
  });
  const agent = join(place.dir, "curious.sh");
  writeFileSync(agent, CURIOUS);
  writeFileSync(join(place.dir, "kubeconfig"), "SECRET_OF_THE_CLUSTER\n");
  const socket = join(place.dir, "engine.sock");
  const server = createServer(() => {}).listen(socket);
  onTestFinished(() => void server.close());
  Object.assign(place.env, { KUBECONFIG: join(place.dir, "kubeconfig"), SOCKET: socket });
  return { place, args: [task, "--agent", agent, "--sandbox", "bubblewrap"], socket };
}

function expectNothingSeen(place: Place) {
  const trial = join(place.out, "trials/secret.1");
  const said = readFileSync(join(trial, "agent.stderr.log"), "utf8");
  expect(said).not.toMatch(/SECRET_OF|^found|^out: (run\.json|trials)|main\.js|^connected/m);
  expect(said).not.toContain(KEY);
  expect(said).toContain("process: ");
  expect(JSON.parse(readFileSync(join(trial, "result.json"), "utf8")).outcome).toBe("failed");
}

function leashOf(place: Place): string | undefined {
  return JSON.parse(readFileSync(join(place.out, "run.json"), "utf8")).agent.leash;
}

describe.skipIf(!hasBubblewrap)("an agent that looks for tests, results and keys", () => {
  it("finds nothing on a leash, which is the default", async () => {
    const { place, args, socket } = prepare();
    // Docker isn't used, but this is where it would be.
    place.env.DOCKER_HOST = `unix://${socket}`;
    const run = await termRun(args, place);
    expect(run.exitCode, run.stderr).toBe(0);
    expectNothingSeen(place);
    expect(leashOf(place)).toBe("bubblewrap");
    await expectNoTraces(place);
  });

  it.skipIf(process.getuid?.() !== 0)("finds nothing as an ordinary user either", async (test) => {
    const { place, args, socket } = prepare();
    place.env.DOCKER_HOST = `unix://${socket}`;
    for (const name of [".", ...(readdirSync(place.dir, { recursive: true }) as string[])])
      chownSync(join(place.dir, name), NOBODY, NOBODY);
    const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
    const asUser = (...words: string[]) =>
      execa("setpriv", [...user, ...words], { env: place.env, cwd: place.dir, reject: false });
    const main = new URL("../../dist/cli/main.js", import.meta.url).pathname;
    const [bwrap, cli] = await Promise.all([
      asUser("bwrap", "--bind", "/", "/", "--unshare-user", "true"),
      asUser(process.execPath, main, "--version"),
    ]);
    if (bwrap.failed || cli.failed)
      return test.skip("a user has no namespaces here, or can't reach this clone");
    const run = await asUser(process.execPath, main, ...args, "--out", place.out);
    expect(run.exitCode, run.stdout + run.stderr).toBe(0);
    expectNothingSeen(place);
    expect(leashOf(place)).toBe("bubblewrap");
    await expectNoTraces(place);
  });

  it("finds it if it is trusted, and the run says so", async () => {
    const { place, args } = prepare();
    const agent = join(place.dir, "trusted.sh");
    writeFileSync(
      agent,
      "read -r line; cat tasks/secret/tests/test.sh >&2; echo '{\"task_complete\": true}'\n",
    );
    args[2] = agent;
    const run = await termRun([...args, "--trust-agent"], place);
    expect(run.text("trials/secret.1/agent.stderr.log")).toContain("SECRET_OF_THE_TESTS");
    expect(leashOf(place)).toBe("trusted");
    const again = await termRun(["--resume", place.out], place);
    expect(again.exitCode).toBe(0);
    expect(leashOf(place)).toBe("trusted");
  });

  it("says that there is no leash where bubblewrap is missing, and what to do", async () => {
    const { place, args } = prepare();
    const bin = join(place.dir, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "bwrap"),
      "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n",
      { mode: 0o755 },
    );
    place.env.PATH = `${bin}:${process.env.PATH}`;
    args[2] = join(place.dir, "done.sh");
    writeFileSync(args[2], "read -r line; echo '{\"task_complete\": true}'\n");
    args[4] = "local";
    const run = await termRun(args, place);
    expect(run.stdout + run.stderr).toMatch(
      /runs without a leash: bwrap doesn't work here: .*No permissions[\s\S]*--trust-agent/,
    );
    expect(leashOf(place)).toBe("none");
  });

  it("isn't told about a leash if it has no process", async () => {
    const { place, args } = prepare();
    args[2] = "nop";
    await termRun(args, place);
    expect(leashOf(place)).toBeUndefined();
  });

  it("can't look at runs from check-agent either", async () => {
    const { place } = prepare();
    const runs = join(place.dir, "runs/one");
    mkdirSync(runs, { recursive: true });
    writeFileSync(join(runs, "run.json"), "{}");
    const looks = join(place.dir, "looks.sh");
    writeFileSync(
      looks,
      `read -r line; [ -e runs/one/run.json ] && : >seen; : >looked; echo '{"task_complete": true}'\n`,
    );
    await runCommand(place, "check-agent", looks);
    expect([existsSync(join(place.dir, "looked")), existsSync(join(place.dir, "seen"))]).toEqual([
      true,
      false,
    ]);
    await runCommand(place, "check-agent", looks, "--trust-agent");
    expect(existsSync(join(place.dir, "seen"))).toBe(true);
  });
});
