// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are compose files' own
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useReader } from "./support.js";

const reader = useReader();

describe("a service", () => {
  it.each([
    [
      "extra_hosts: ['a:1.2.3.4', 'b=::1', 'c:[::1]']",
      { extraHosts: ["a:1.2.3.4", "b:::1", "c:::1"] },
    ],
    [
      "extra_hosts: {a: 1.2.3.4, b: [::1, host-gateway]}",
      { extraHosts: ["a:1.2.3.4", "b:::1", "b:host-gateway"] },
    ],
    [
      "dns: 1.1.1.1, dns_search: [a, b], dns_opt: [rotate]",
      { dns: { servers: ["1.1.1.1"], search: ["a", "b"], options: ["rotate"] } },
    ],
    ["entrypoint: ''", { entrypoint: [] }],
    ["command: [], entrypoint: sh -c 'a b'", { command: [], entrypoint: ["sh", "-c", "a b"] }],
    [
      "user: 1000, working_dir: /w, group_add: [5, video]",
      { user: "1000", workdir: "/w", groups: ["5", "video"] },
    ],
    [
      "tty: true, stdin_open: 'true', init: true, read_only: true",
      { tty: true, stdinOpen: true, init: true, readOnly: true },
    ],
    [
      "stop_signal: SIGINT, hostname: h, domainname: d",
      { stopSignal: "SIGINT", hostname: "h", domainname: "d" },
    ],
    ["restart: 'on-failure:3'", { restart: { name: "on-failure", retries: 3 } }],
    ["restart: no", { restart: { name: "no", retries: 0 } }],
    [
      "deploy: {restart_policy: {condition: any, max_attempts: 2}}",
      { restart: { name: "always", retries: 2 } },
    ],
    ["healthcheck: {disable: true}", { healthcheck: { test: ["NONE"] } }],
    ["healthcheck: {test: [NONE]}", { healthcheck: { test: ["NONE"] } }],
    [
      "healthcheck: {test: [CMD, a, b], start_period: 500ms, start_interval: 1s}",
      { healthcheck: { test: ["CMD", "a", "b"], startPeriodNs: 5e8, startIntervalNs: 1e9 } },
    ],
    ["healthcheck: {interval: 1h2m}", { healthcheck: { test: [], intervalNs: 3720e9 } }],
    [
      "ulimits: {nofile: 10, nproc: {soft: 1, hard: 2}}",
      {
        ulimits: [
          { name: "nofile", soft: 10, hard: 10 },
          { name: "nproc", soft: 1, hard: 2 },
        ],
      },
    ],
    ["sysctls: [net.core.somaxconn=5]", { sysctls: { "net.core.somaxconn": "5" } }],
    ["network_mode: none", { network: { mode: "none" } }],
    ["network_mode: bridge", { network: { mode: "bridge" } }],
    [
      "pid: 'service:other', ipc: shareable",
      {
        pid: "service:other",
        ipc: "shareable",
        dependsOn: [{ name: "other", condition: "service_started", required: true }],
      },
    ],
    [
      "network_mode: 'service:other'",
      { network: { mode: "service", service: "other" }, dependsOn: [{ name: "other" }] },
    ],
    [
      "links: ['other:o', other]",
      {
        links: [
          { service: "other", alias: "o" },
          { service: "other", alias: "other" },
        ],
        dependsOn: [{ name: "other" }],
      },
    ],
    [
      "links: [other], depends_on: {other: {condition: service_healthy}}",
      { dependsOn: [{ name: "other", condition: "service_healthy" }] },
    ],
    ["volumes_from: ['other:ro']", { volumesFrom: ["other:ro"], dependsOn: [{ name: "other" }] }],
    [
      "cap_add: [A], cap_drop: [B], security_opt: ['no-new-privileges:true', 'seccomp=unconfined']",
      {
        capAdd: ["A"],
        capDrop: ["B"],
        securityOptions: ["no-new-privileges:true", "seccomp=unconfined"],
      },
    ],
    [
      "networks: {default: {aliases: [a]}, back: }",
      {
        network: {
          list: [
            { network: "back", aliases: ["db"] },
            { network: "default", aliases: ["db", "a"] },
          ],
        },
      },
    ],
  ])("%s", (fields, expected) => {
    const more = "networks: {back: {}}";
    const { others, refused } = reader.project(
      `services: {db: {image: x, ${fields}}, other: {image: x}}\n${more}`,
    );
    expect(refused).toEqual([]);
    expect(others[0]).toMatchObject(expected);
  });

  it.each([
    [
      "cpus: 0.5, mem_limit: 1.5g, memswap_limit: -1, mem_reservation: 10mb",
      { cpus: 0.5, memoryBytes: 1.5 * 2 ** 30, swapBytes: -1, reservedBytes: 10 * 2 ** 20 },
    ],
    [
      "cpu_shares: 5, cpu_quota: 20ms, cpu_period: 1000, cpuset: '0,1'",
      { cpuShares: 5, cpuQuota: 20_000, cpuPeriod: 1000, cpuset: "0,1" },
    ],
    [
      "pids_limit: 7, shm_size: 64m, oom_score_adj: -5, mem_swappiness: 3",
      { pids: 7, shmBytes: 64 * 2 ** 20, oomScore: -5, swappiness: 3 },
    ],
    [
      "deploy: {resources: {limits: {cpus: '2', memory: 1K, pids: 3}, reservations: {cpus: '1', memory: 5}}}",
      { cpus: 2, memoryBytes: 1024, pids: 3, reservedBytes: 5 },
    ],
    ["deploy: {resources: {limits: {cpus: '', memory: }}}", { cpus: null, memoryBytes: null }],
    ["cpus: 1, deploy: {resources: {limits: {cpus: '1'}}}", { cpus: 1 }],
  ])("with limits: %s", (fields, limits) => {
    expect(reader.refused(fields)).toEqual([]);
    expect(reader.service(fields)).toMatchObject({ limits });
  });

  it.each([
    ["'/own'", { kind: "volume", source: "", target: "/own", copy: true, readOnly: false }],
    [
      "'v:/v:ro,nocopy'",
      { kind: "volume", source: "v", target: "/v", copy: false, readOnly: true },
    ],
    [
      "{type: volume, source: v, target: /v, volume: {subpath: a/b}}",
      { kind: "volume", subpath: "a/b" },
    ],
    ["'./f:/f:ro,z'", { kind: "bind", source: "f", target: "/f", readOnly: true, create: true }],
    [
      "{type: bind, source: f, target: /f, bind: {create_host_path: false}}",
      { kind: "bind", source: "f", create: false },
    ],
    [
      "{type: tmpfs, target: /t, tmpfs: {size: 1m, mode: 0700}}",
      { kind: "tmpfs", target: "/t", options: "size=1048576,mode=700" },
    ],
    ["'${TERM_RUN_UNSET}:/logs'", { kind: "volume", source: "", target: "/logs" }],
  ])("with the volume %s", (volume, expected) => {
    const [mount] = reader.service(`volumes: [${volume}]`, {}, "volumes: {v: }").mounts;
    const source =
      "source" in expected && expected.kind === "bind" ? { source: join(reader.dir, "f") } : {};
    expect(mount).toMatchObject({ ...expected, ...source });
  });

  it("has tmpfs with options", () => {
    expect(reader.service("tmpfs: ['/a:size=1m,mode=1777', /b]").mounts).toEqual([
      { kind: "tmpfs", target: "/a", options: "size=1m,mode=1777" },
      { kind: "tmpfs", target: "/b", options: "" },
    ]);
  });

  it("has secrets and configs: files mounted, the others copied", () => {
    const { mounts, files } = reader.service(
      "secrets: [a, {source: b, target: c, mode: 0400, uid: '5', gid: 6}], configs: [d, {source: a, target: /etc/a}]",
      { "a.txt": "a" },
      `
secrets: {a: {file: a.txt}, b: {environment: PATH}}
configs: {a: {file: a.txt}, d: {content: "d\\n"}}`,
    );
    const file = { kind: "bind", source: join(reader.dir, "a.txt"), readOnly: true, create: false };
    expect(mounts).toEqual([
      { ...file, target: "/run/secrets/a" },
      { ...file, target: "/etc/a" },
    ]);
    expect(files).toEqual([
      { path: "/run/secrets/c", content: process.env.PATH, mode: 0o400, uid: 5, gid: 6 },
      { path: "/d", content: "d\n", mode: 0o444, uid: 0, gid: 0 },
    ]);
  });

  it("sends the content of a seccomp profile", () => {
    const { securityOptions } = reader.service("security_opt: ['seccomp:p.json']", {
      "p.json": '{ "defaultAction": "SCMP_ACT_ALLOW" }',
    });
    expect(securityOptions).toEqual(['seccomp={"defaultAction":"SCMP_ACT_ALLOW"}']);
  });

  it("has a build", () => {
    const { build } = reader.service(
      "build: {context: ./sub, dockerfile: D, args: [A=1], target: t, network: none, extra_hosts: ['h:1.2.3.4']}",
      { "sub/D": "" },
    );
    expect(build).toEqual({
      contextDir: join(reader.dir, "sub"),
      dockerfile: "D",
      args: { A: "1" },
      target: "t",
      network: "none",
      extraHosts: ["h:1.2.3.4"],
    });
  });
});

describe("extends", () => {
  const base = `
services:
  base:
    image: debian
    build: ./context
    environment: [A=1, B=2]
    env_file: e.env
    volumes: ["./rel:/rel", "named:/n"]
    command: [a, b]
    dns: 1.1.1.1
    extra_hosts: ["h:1.2.3.4"]
    healthcheck: {test: "a", interval: 5s}
    cap_add: [A]
    depends_on: [other]
`;
  const own = `
services:
  b:
    extends: {file: sub/base.yaml, service: base}
    environment: {B: 3, C: 4}
    volumes: ["./mine:/rel"]
    dns: [8.8.8.8]
    command: c
    extra_hosts: {h: 4.3.2.1}
    healthcheck: {retries: 5}
    cap_add: [B]
    depends_on: {other: {condition: service_healthy}}
  other: {image: x}
volumes: {named: {}}
`;
  it("merges a service of another file, whose paths are its own", () => {
    const files = { "sub/base.yaml": base, "sub/e.env": "E=1", "sub/context/Dockerfile": "" };
    const { others, refused } = reader.project(own, files);
    expect(refused).toEqual([]);
    expect(others[0]).toMatchObject({
      build: { contextDir: join(reader.dir, "sub/context") },
      environment: { E: "1", A: "1", B: "3", C: "4" },
      command: ["c"],
      dns: { servers: ["1.1.1.1", "8.8.8.8"] },
      extraHosts: ["h:1.2.3.4", "h:4.3.2.1"],
      healthcheck: { test: ["CMD-SHELL", "a"], intervalNs: 5e9, retries: 5 },
      capAdd: ["A", "B"],
      dependsOn: [{ name: "other", condition: "service_healthy" }],
      mounts: [
        { source: join(reader.dir, "mine"), target: "/rel" },
        { source: "named", target: "/n" },
      ],
    });
  });

  it("merges services of the same file, one after another", () => {
    const { others } = reader.project(
      "services: {a: {image: x, command: one}, b: {extends: a, tty: true}, c: {extends: {service: b}, image: y}}",
    );
    expect(others[2]).toMatchObject({ image: "y", command: ["one"], tty: true });
  });

  it("is refused together with tags that it would have to follow", () => {
    const text = "services: {a: {image: x}, b: {extends: a, command: !reset []}}";
    expect(reader.project(text).refused).toEqual([
      "docker-compose.yaml:1: services.b.extends is not supported with !reset and !override",
    ]);
  });

  it.each([
    ["services: {a: {extends: b}}", "services.a.extends names b, which isn't a service of"],
    ["services: {a: {extends: {file: gone.yaml, service: b}}}", "gone.yaml is missing"],
    ["services: {a: {extends: b}, b: {extends: a}}", "extends leads back to itself"],
    ["services: {a: {extends: {}}}", "services.a.extends names no service"],
  ])("is wrong: %s", (text, why) => {
    expect(() => reader.project(text)).toThrow(why);
  });
});
