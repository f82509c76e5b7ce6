// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are compose files' own
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { interpolate } from "../../src/sandbox/docker/compose/interpolate.js";
import { readCompose } from "../../src/sandbox/docker/compose/read.js";
import { splitWords } from "../../src/shell-words.js";

describe("interpolate", () => {
  const variables = { SET: "yes", EMPTY: "" };
  it.each([
    ["$SET/${SET}", "yes/yes"],
    ["$$SET", "$SET"],
    ["[$UNSET]", "[]"],
    ["${EMPTY-a}|${EMPTY:-a}|${UNSET-b}", "|a|b"],
    ["${UNSET:-${SET}}", "yes"],
    ["${SET:+other}|${EMPTY:+other}|${EMPTY+other}", "other||other"],
  ])("makes of %s", (text, expected) => {
    expect(interpolate(text, variables)).toBe(expected);
  });

  it("fails for a required variable that isn't set", () => {
    expect(() => interpolate("${UNSET:?say it}", variables)).toThrow("say it");
  });
});

describe("splitWords", () => {
  it.each([
    ["a  b", ["a", "b"]],
    [`sh -c "echo 'x y' \\"z\\""`, ["sh", "-c", `echo 'x y' "z"`]],
    ["'' a\\ b", ["", "a b"]],
  ])("splits %s", (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });
});

describe("readCompose", () => {
  let dir = "";
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "compose-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const read = (text: string, service = "main") => {
    const file = join(dir, "docker-compose.yaml");
    writeFileSync(file, text);
    return readCompose({ file, service, variables: { IMAGE: "some:tag" } });
  };

  it("reads services in dependency order", () => {
    writeFileSync(join(dir, "more.env"), "# no\nFROM_FILE=1\n");
    const { main, others } = read(`
services:
  main:
    build: {context: ., args: {A: 1}}
    depends_on: [web]
    volumes: ["data:/data:ro", "./files:/files"]
  web:
    image: \${IMAGE}
    command: httpd -f -p 80
    environment: [A=1, B=two words]
    env_file: more.env
    depends_on: {db: {condition: service_healthy}}
    mem_limit: 64m
    networks: {default: {aliases: [www]}}
  db:
    image: db:1
    environment: {N: 5}
    healthcheck: {test: "ready", interval: 1m30s, retries: 2}
    deploy: {resources: {limits: {cpus: "0.5", memory: 1G}}}
    tmpfs: /run
volumes: {data: {}}
`);
    expect(main?.build).toMatchObject({ contextDir: dir, args: { A: "1" } });
    expect(main?.mounts).toEqual([
      { kind: "volume", source: "data", target: "/data", readOnly: true },
      { kind: "bind", source: join(dir, "files"), target: "/files", readOnly: false },
    ]);
    expect(others.map(({ name }) => name)).toEqual(["db", "web"]);
    const [db, web] = others;
    expect(web).toMatchObject({
      image: "some:tag",
      command: ["httpd", "-f", "-p", "80"],
      environment: { A: "1", B: "two words", FROM_FILE: "1" },
      aliases: ["web", "www"],
      memoryBytes: 64 * 2 ** 20,
      dependsOn: [{ name: "db", condition: "service_healthy" }],
    });
    expect(db).toMatchObject({
      environment: { N: "5" },
      healthcheck: { test: ["CMD-SHELL", "ready"], intervalNs: 90e9, retries: 2 },
      cpus: 0.5,
      memoryBytes: 2 ** 30,
      mounts: [{ kind: "tmpfs", target: "/run" }],
    });
  });

  it.each([
    ["services: {a: {image: x, privileged: true}}", "services.a.privileged is not supported"],
    ["services: {a: {image: x, network_mode: host}}", 'network_mode "host" is not supported'],
    ["services: {a: {image: x, depends_on: [b]}}", 'a depends on "b", which doesn\'t exist'],
    ["services: {a: {depends_on: [b]}, b: {depends_on: [a]}}", "depend on each other"],
    ["services: {a: {volumes: ['/var/run/docker.sock:/s']}}", "engine's own socket"],
    ["configs: {}", '"configs" is not supported'],
    ["services: [", "docker-compose.yaml"],
  ])("refuses %s", (text, why) => {
    expect(() => read(text)).toThrow(why);
  });
});
