import { randomUUID } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { until } from "../support/until.js";
import { build, makeContext, outputOf } from "./builds.js";
import { docker as hasDocker } from "./kinds.js";
import { processesWith } from "./processes.js";

const FROM = "FROM debian:bookworm-slim\n";
/** Makes a step one that no cache has. */
const NEW = randomUUID();
const TIMEOUT_MS = 300_000;

describe.runIf(hasDocker)("building images", { timeout: TIMEOUT_MS }, () => {
  afterEach(() => vi.unstubAllEnvs());

  it("uses BuildKit, and says what it does in words", async () => {
    const context = makeContext({
      "tool.sh": "echo hi\n",
      Dockerfile: `${FROM}COPY --chmod=751 tool.sh /tool\nRUN --mount=type=cache,target=/c echo ${NEW} | cat; printf half\n`,
    });
    const built = await build(context);
    expect(built.lines).toContainEqual(expect.stringMatching(/3\] RUN --mount=type=cache/));
    expect(built.lines).toContain(NEW);
    expect(built.lines).toContain("half");
    expect(await outputOf(built, "stat -c %a /tool; ls -d /c/*")).toMatch(/^751\nls: /);
  });

  it("sends files, folders and links as they are, and files of any size", async () => {
    const context = makeContext({
      Dockerfile: `${FROM}COPY . /copied\n`,
      "a/b": "b",
      "a.txt": "",
      large: "x".repeat(3_000_000),
    });
    symlinkSync("a/b", join(context, "link"));
    writeFileSync(join(context, "run"), "", { mode: 0o750 });
    mkdirSync(join(context, "empty"), { mode: 0o700 });
    const list =
      "cd /copied && find . ! -name . -printf '%P %y %m %u %l\\n' | sort; wc -c <large; cat a/b";
    expect(await outputOf(await build(context), `${list} 2>&1`)).toBe(
      [
        "Dockerfile f 644 root ",
        "a d 755 root ",
        "a.txt f 644 root ",
        "a/b f 644 root ",
        "empty d 700 root ",
        "large f 644 root ",
        "link l 777 root a/b",
        "run f 750 root ",
        "3000000",
        "b",
      ].join("\n"),
    );
  });

  it("leaves out what .dockerignore says, the Dockerfile included, but keeps its exceptions", async () => {
    const context = makeContext({
      Dockerfile: `${FROM}COPY . /copied\n`,
      ".dockerignore": "*\n!deep/down/kept\n",
      "deep/down/kept": "",
      "deep/down/left": "",
      other: "",
    });
    const found = await outputOf(await build(context), "cd /copied && find . -type f");
    expect(found).toBe("./deep/down/kept");
  });

  it("prefers the Dockerfile's own ignore file, and takes Dockerfiles from anywhere", async () => {
    const context = makeContext({
      "docker/Other": `${FROM}COPY . /copied\n`,
      "docker/Other.dockerignore": "a\ndocker\n",
      ".dockerignore": "b\n.dockerignore\n",
      a: "",
      b: "",
    });
    const list = "cd /copied && find . -type f | sort | paste -sd,";
    const inside = await build(context, { dockerfile: "docker/Other" });
    expect(await outputOf(inside, list)).toBe("./.dockerignore,./b");
    const elsewhere = makeContext({ Dockerfile: `${FROM}COPY . /copied\n` });
    const outside = await build(context, { dockerfile: join(elsewhere, "Dockerfile") });
    expect(await outputOf(outside, list)).toBe("./a,./docker/Other,./docker/Other.dockerignore");
  });

  it("passes arguments, target, network and hosts on", async () => {
    const context = makeContext({
      Dockerfile: `${FROM}FROM debian:bookworm-slim AS wanted\nARG WHO\nRUN (echo "$WHO"; grep 203.0.113.9 /etc/hosts; ls /sys/class/net) | paste -sd' ' >/out\nFROM nothing-like-this\n`,
    });
    const built = await build(context, {
      args: { WHO: "me" },
      target: "wanted",
      network: "none",
      extraHosts: ["far.example:203.0.113.9"],
    });
    expect(await outputOf(built, "cat /out")).toBe("me 203.0.113.9\tfar.example lo");
  });

  it("has the proxies of Docker's configuration, which arguments override, but not in the image", async () => {
    const config = { default: { httpProxy: "http://p.example:1", noProxy: "a.example" } };
    vi.stubEnv(
      "DOCKER_CONFIG",
      makeContext({ "config.json": JSON.stringify({ proxies: config }) }),
    );
    vi.stubEnv("HTTPS_PROXY", "http://of-the-caller.example");
    const context = makeContext({
      Dockerfile: `${FROM}RUN : ${NEW}; env | grep -i proxy | sort >/out\n`,
    });
    const built = await build(context, { args: { NO_PROXY: "b.example" } });
    expect(await outputOf(built, "cat /out; env | grep -i proxy")).toBe(
      [
        "HTTP_PROXY=http://p.example:1",
        "NO_PROXY=b.example",
        "http_proxy=http://p.example:1",
        "no_proxy=b.example",
      ].join("\n"),
    );
  });

  it("shows the last lines of the step that failed", async () => {
    const context = makeContext({
      Dockerfile: `${FROM}RUN seq 1 40 && echo "cannot go on" && exit 3\n`,
    });
    const lines = [...Array.from({ length: 11 }, (_, at) => `    ${at + 30}`), "    cannot go on"];
    await expect(build(context)).rejects.toMatchObject({
      code: "infra",
      message: expect.stringMatching(
        new RegExp(`^building the image \\S+ failed: .*exit code: 3\n${lines.join("\n")}$`),
      ),
      hint: expect.stringMatching(/^Fix the build/),
    });
  });

  it("does without a frontend that can't be pulled", async () => {
    const syntax = "# syntax=docker.io/docker/dockerfile:0.0.0-none\n# escape=`\n";
    const context = makeContext({
      Dockerfile: `${syntax}${FROM}RUN echo a >/out; \`\n echo b >>/out\n`,
    });
    const built = await build(context);
    expect(built.lines).toContainEqual(
      expect.stringMatching(
        /^docker.io\/docker\/dockerfile:0.0.0-none can't be pulled, the engine's/,
      ),
    );
    expect(await outputOf(built, "cat /out")).toBe("a\nb");
  });

  it("ends the build when it is cancelled, and when it takes too long", async () => {
    for (const how of ["cancelled", "too long"]) {
      const seconds = String(10_000_000 + process.pid + (how === "cancelled" ? 0 : 1_000_000));
      const context = makeContext({ Dockerfile: `${FROM}RUN sleep ${seconds}\n` });
      const controller = new AbortController();
      const running = build(context, {
        signal: controller.signal,
        timeoutSec: how === "cancelled" ? 300 : 10,
      });
      const refused = expect(running).rejects.toThrow(
        how === "cancelled" ? "no more" : /it took longer than 10 s/,
      );
      const isRunning = () => processesWith(`sleep ${seconds}`).length > 0;
      await until(isRunning, { what: "the step" });
      if (how === "cancelled") controller.abort(new Error("no more"));
      await refused;
      await until(() => !isRunning(), { what: "the step's end" });
    }
  });
});
