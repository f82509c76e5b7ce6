import { mkdtempSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, makeContext, outputOf } from "./builds.js";
import { docker as hasDocker } from "./kinds.js";

const FROM = "FROM debian:bookworm-slim\n";

describe.runIf(hasDocker)("building images without BuildKit", { timeout: 300_000 }, () => {
  let engine: { docker: Docker; close: () => void };

  beforeAll(async () => {
    engine = await engineWithoutSessions();
  });
  afterAll(() => engine.close());

  it("uses the classic builder, and says so", async () => {
    const context = makeContext({
      Dockerfile: `${FROM}ARG WHO\nCOPY . /copied\nRUN echo "$WHO" >/out\n`,
      ".dockerignore": "*\n!deep/kept\n",
      "deep/kept": "",
      other: "",
    });
    const built = await build(context, { docker: engine.docker, args: { WHO: "me" } });
    expect(built.lines[0]).toBe("the engine has no BuildKit: its classic builder is used");
    const list = "cat /out; cd /copied && find . -type f";
    expect(await outputOf(built, list)).toBe("me\n./deep/kept");
  });

  it("translates here-documents", async () => {
    const context = makeContext({
      Dockerfile: `${FROM}RUN <<EOF\necho one >/out\necho two >>/out\nEOF\nCOPY <<A <<B /files/\na\nA\nb\nB\n`,
    });
    const built = await build(context, { docker: engine.docker });
    expect(await outputOf(built, "cat /out /files/A /files/B")).toBe("one\ntwo\na\nb");
  });

  it.each([
    ["COPY --chmod=700 . /x", "COPY --chmod", "Docker 20.10"],
    ["RUN --mount=type=cache,target=/c true", "RUN --mount", "Docker 20.10"],
    ["COPY --link . /x", "COPY --link", "Docker 23.0"],
    ["RUN <<EOF\n#!/bin/bash\ntrue\nEOF", "a here-document", "Docker 23.0"],
    ["COPY <<EOF /x\n$HOME\nEOF", "a here-document with variables", "Docker 23.0"],
  ])("names what it can't do: %s", async (instruction, feature, cure) => {
    const context = makeContext({ Dockerfile: `${FROM}RUN true\n\n${instruction}\nRUN true\n` });
    await expect(build(context, { docker: engine.docker })).rejects.toMatchObject({
      code: "infra",
      message: expect.stringContaining(
        `line 4 of the Dockerfile uses ${feature}, which the engine's classic builder doesn't have`,
      ),
      hint: `Use ${cure} or later, with BuildKit, or write it without ${feature}.`,
    });
  });
});

/** The engine as older ones, and Podman, answer: without a place where builders call back. */
async function engineWithoutSessions(): Promise<{ docker: Docker; close: () => void }> {
  const modem = new Docker().modem as {
    socketPath?: string | (() => Promise<string>);
    host?: string;
    port?: number;
  };
  const { socketPath } = modem;
  const path = typeof socketPath === "function" ? await socketPath() : socketPath;
  const target = path ? { socketPath: path } : { host: modem.host, port: modem.port };
  const server = http.createServer((request, response) => {
    if (/\/session$/.test(request.url ?? "")) {
      response.writeHead(404).end("Not Found");
      return;
    }
    const { method, url, headers } = request;
    const passed = http.request({ ...target, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  server.on("upgrade", (_, socket) => socket.end("HTTP/1.1 404 Not Found\r\n\r\n"));
  const own = join(mkdtempSync(join(tmpdir(), "term-run-engine-")), "docker.sock");
  await new Promise<void>((resolve) => server.listen(own, resolve));
  return { docker: new Docker({ socketPath: own }), close: () => server.close() };
}
