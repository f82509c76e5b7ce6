import Docker from "dockerode";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/interfaces.js";
import { connectDocker } from "../../src/sandbox/docker/engine.js";
import { docker as hasDocker, type Kind, makeTask, openProvider, openSandbox } from "./kinds.js";

const signal = new AbortController().signal;
const options = { timeoutMs: 30_000, signal };
const bash: Kind = { name: "docker", kind: "docker", image: "", bash: true };
