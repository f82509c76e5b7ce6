import { mkdir, mkdtemp } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Docker from "dockerode";
import { execa } from "execa";
import { SetupError } from "./errors.mjs";
import { ensurePrograms, isRoot, searchPath } from "./install.mjs";
import { lastLines, say, timed } from "./log.mjs";

/** Images are cached here between runs. Only root writes there, so the name can be a fixed one. */
const cacheFolder = "/var/cache/term-run/test-engine";
const supervisor = fileURLToPath(new URL("engine.sh", import.meta.url));
const readyTimeoutMs = 60_000;
const lockedExitCode = 75;

/**
 * Does an engine answer: the one at this socket, else at DOCKER_HOST, else at the default socket?
 * @param {string} [socketPath]
 */
export async function engineAnswers(socketPath) {
  try {
    const docker = new Docker(socketPath ? { socketPath } : undefined);
    // The types do not know it, but ping takes an abort signal like every other call.
    const ping = /** @type {(options: object) => Promise<unknown>} */ (docker.ping.bind(docker));
    await ping({ abortSignal: AbortSignal.timeout(5000) });
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes sure that an engine answers, and returns a function that stops it if we started it.
 * @param {{ signal: AbortSignal }} options
 * @returns {Promise<() => Promise<void>>}
 */
export async function ensureEngine(options) {
  if (await engineAnswers()) return leaveAlone();
  forgetDeadEngine();
  if (process.platform !== "linux") throw new SetupError("no Docker engine answers: start Docker");
  if (!isRoot()) {
    throw new SetupError("no Docker engine answers, and only root can start a private one");
  }
  await ensurePrograms(["dockerd", "containerd", "iptables", "ip"], options);
  // Some packages start the system's engine as they are installed.
  if (await engineAnswers()) return leaveAlone();
  return timed("starting a private Docker engine", () => startEngine(options));
}

async function leaveAlone() {
  say("using the Docker engine that is running");
  return async () => {};
}

function forgetDeadEngine() {
  if (process.env.DOCKER_HOST) say(`no engine answers at ${process.env.DOCKER_HOST}`);
  for (const name of ["HOST", "TLS_VERIFY", "CERT_PATH", "CONTEXT"]) {
    delete process.env[`DOCKER_${name}`];
  }
}

/** @param {{ signal: AbortSignal }} options */
async function startEngine(options) {
  const stop = await launch({ folder: cacheFolder, number: 0 }, options);
  if (stop) return stop;
  say("another test run uses the cached engine data: starting with empty data");
  const stopFresh = await launch({ number: 1 + (process.pid % 254) }, options);
  if (!stopFresh) throw new SetupError("the new engine's folder is locked by another process");
  return stopFresh;
}

/**
 * Starts dockerd under its supervisor and sets DOCKER_HOST; returns undefined if the data is in use.
 * @param {{ folder?: string, number: number }} where the number keeps networks of engines apart
 * @param {{ signal: AbortSignal }} options
 */
async function launch({ folder, number }, { signal }) {
  // /var/tmp is on a disk, and its name is short enough for the path of a socket.
  const run = await mkdtemp("/var/tmp/term-run-engine-");
  const socket = join(run, "docker.sock");
  const data = folder ?? join(run, "data");
  await mkdir(data, { recursive: true });

  const engine = execa("unshare", ["--mount", "sh", supervisor], {
    reject: false,
    stdin: "pipe",
    // A Ctrl-C must not reach dockerd while tests still clean up.
    detached: true,
    env: {
      PATH: searchPath,
      ENGINE_RUN: run,
      ENGINE_DATA: data,
      ENGINE_NAMESPACE: basename(folder ?? run),
      ENGINE_BRIDGE: `term-run${number}`,
      ENGINE_ADDRESS: `10.213.${number}.1/24`,
      ENGINE_HARDWARE_ADDRESS: `02:42:0a:d5:${number.toString(16).padStart(2, "0")}:01`,
    },
  });
  const stop = async () => {
    engine.stdin.end();
    return await engine;
  };

  const deadline = performance.now() + readyTimeoutMs;
  while (!(await engineAnswers(socket))) {
    const ended = engine.exitCode !== null || engine.signalCode !== null;
    if (!ended && !signal.aborted && performance.now() < deadline) {
      await delay(50);
      continue;
    }
    const result = await stop();
    signal.throwIfAborted();
    if (result.exitCode === lockedExitCode) return undefined;
    throw new SetupError(
      `dockerd did not start. If its data is damaged, remove ${data}. The end of its log:\n` +
        lastLines(result.stderr || result.shortMessage),
    );
  }
  process.env.DOCKER_HOST = `unix://${socket}`;
  await sweep(new Docker());
  return () =>
    timed("stopping the private Docker engine", async () => {
      await stop();
    });
}

/** Otherwise what killed runs left in the cached data would pile up. @param {Docker} docker */
async function sweep(docker) {
  await docker.pruneContainers();
  await docker.pruneImages();
}
