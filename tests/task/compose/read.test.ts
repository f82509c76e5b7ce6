// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are compose files' own
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TermRunError } from "../../../src/errors.js";
import { FILE, useReader } from "./support.js";

const reader = useReader();

describe("a compose file", () => {
  it("is read with main apart from the others", () => {
    const { main, others, volumes, networks, refused } = reader.project(
      `
services:
  main:
    build: {context: ., args: {A: 1, FROM_OUTSIDE: }, target: last}
    depends_on: [web]
    volumes: ["data:/data:ro", "./files:/files"]
  web:
    image: \${IMAGE}
    command: httpd -f -p 80
    environment: [A=1, B=two words]
    depends_on: {db: {condition: service_healthy, restart: true}}
    mem_limit: 64m
    networks: {default: {aliases: [www]}, back: {priority: 5, ipv4_address: 10.9.8.7}}
    container_name: page
  db:
    image: db:1
    environment: {N: 5}
    healthcheck: {test: "ready", interval: 1m30s, retries: 2}
    deploy: {resources: {limits: {cpus: "0.5", memory: 1G}}}
    tmpfs: /run
volumes: {data: {name: store}}
networks: {back: {internal: true, ipam: {config: [{subnet: 10.9.8.0/24}]}}}
`,
      {},
      { IMAGE: "some:tag", FROM_OUTSIDE: "given" },
    );
    expect(refused).toEqual([]);
    expect(main).toMatchObject({
      build: {
        contextDir: reader.dir,
        dockerfile: "Dockerfile",
        args: { A: "1", FROM_OUTSIDE: "given" },
        target: "last",
      },
      dependsOn: [{ name: "web", condition: "service_started", required: true }],
      mounts: [
        { kind: "volume", source: "store", target: "/data", readOnly: true },
        { kind: "bind", source: join(reader.dir, "files"), target: "/files", readOnly: false },
      ],
    });
    expect(others).toMatchObject([
      {
        name: "web",
        image: "some:tag",
        command: ["httpd", "-f", "-p", "80"],
        environment: { A: "1", B: "two words" },
        dependsOn: [{ name: "db", condition: "service_healthy", required: true }],
        limits: { memoryBytes: 64 * 2 ** 20 },
        network: {
          mode: "networks",
          list: [
            { network: "back", aliases: ["web", "page"], ipv4: "10.9.8.7" },
            { network: "default", aliases: ["web", "page", "www"], ipv4: null },
          ],
        },
      },
      {
        name: "db",
        environment: { N: "5" },
        healthcheck: { test: ["CMD-SHELL", "ready"], intervalNs: 90e9, retries: 2 },
        limits: { cpus: 0.5, memoryBytes: 2 ** 30 },
        mounts: [{ kind: "tmpfs", target: "/run", options: "" }],
      },
    ]);
    expect(volumes).toEqual({ data: "store" });
    expect(networks).toEqual([
      { key: "back", internal: true, ipv6: false, subnets: [{ Subnet: "10.9.8.0/24" }] },
    ]);
  });

  it("may use anchors, merge keys and fields of its own", () => {
    const { others, refused } = reader.project(`
x-common: &common
  image: x
  environment: &environment {A: 1}
services:
  one: {<<: *common, x-note: mine}
  two:
    <<: *common
    environment: {<<: *environment, B: 2}
  three: !override {image: z, command: !reset [a]}
`);
    expect(refused).toEqual([]);
    expect(others).toMatchObject([
      { image: "x", environment: { A: "1" } },
      { image: "x", environment: { A: "1", B: "2" } },
      { image: "z", command: [] },
    ]);
  });

  it("has the scalars of Compose's own YAML", () => {
    const values = "A: yes, B: 0123, C: 1.10, D: 12345678901234567890, E: null, F: true, G: 0x1F";
    expect(reader.service(`environment: {${values}}`).environment).toEqual({
      A: "yes",
      B: "83",
      C: "1.1",
      D: "12345678901234567890",
      E: null,
      F: "true",
      G: "31",
    });
  });

  it("takes variables from outside, then from .env, for values alone", () => {
    const { others } = reader.project(
      `
services:
  db: # \${NOT_A_VALUE:?}
    image: "\${NAME}-\${FROM_ENV_FILE:-no}"
    environment: {SIGNS: "\${SIGNS}"}
`,
      { ".env": "FROM_ENV_FILE=yes\nNAME=other\n" },
      { NAME: "given", SIGNS: 'a: b # "c"' },
    );
    expect(others[0]).toMatchObject({
      image: "given-yes",
      environment: { SIGNS: 'a: b # "c"' },
    });
  });
});

describe("the services that are started", () => {
  const names = (profiles: string) =>
    reader
      .project(
        `
services:
  plain: {image: x}
  debug: {image: x, profiles: [debug], privileged: true}
  other: {image: x, profiles: [other], depends_on: [needed]}
  needed: {image: x, profiles: [never]}
  maybe: {image: x, depends_on: {debug: {condition: service_healthy, required: false}}}
  none: {image: x, scale: 0}
`,
        {},
        { COMPOSE_PROFILES: profiles },
      )
      .others.map(({ name }) => name);

  it.each([
    ["", ["plain", "maybe"]],
    ["other", ["plain", "other", "needed", "maybe"]],
    ["other, debug", ["plain", "debug", "other", "needed", "maybe"]],
    ["*", ["plain", "debug", "other", "needed", "maybe"]],
  ])("with the profiles '%s'", (profiles, expected) => {
    expect(names(profiles)).toEqual(expected);
  });

  it("wait only for others that are started, and what isn't started refuses nothing", () => {
    const { others, refused } = reader.project(
      "services: {a: {image: x, depends_on: {b: {condition: service_healthy, required: false}}}," +
        " b: {image: x, profiles: [p], privileged: true}}",
    );
    expect(others).toMatchObject([{ name: "a", dependsOn: [] }]);
    expect(refused).toEqual([]);
  });
});

describe("a compose file that is wrong", () => {
  it.each([
    ["services: [", `${FILE}:1:`],
    ["services: {a: {image: x}, a: {image: y}}", "unique"],
    ["services: {a: 5}", `${FILE}:1: services.a must be a table, not 5`],
    ["services:\n  a:\n    command: x\n", `${FILE}:3: services.a has neither an image nor a build`],
    [
      "services: {a: {image: x, depends_on: [b]}}",
      "services.a.depends_on names b, which isn't a service",
    ],
    [
      "services: {a: {image: x, depends_on: [b]}, b: {image: x, depends_on: [a]}}",
      "services.a.depends_on leads back to itself: a → b → a",
    ],
    [
      "services: {a: {image: x, depends_on: {b: {condition: soon}}}, b: {image: x}}",
      'services.a.depends_on.b.condition must be "service_started" or',
    ],
    [
      "services: {a: {image: x, volumes: ['data:/d']}}",
      "source is data, which isn't one of the file's volumes",
    ],
    ["services: {a: {image: x, networks: [n]}}", "services.a.networks names n, which isn't one of"],
    ["services: {a: {image: x, secrets: [s]}}", "services.a.secrets names s, which isn't defined"],
    [
      "services: {a: {image: x, secrets: [s]}}\nsecrets: {s: {file: gone.txt}}",
      "gone.txt, which doesn't exist",
    ],
    ["services: {}\nconfigs: {c: {}}", "configs.c has neither a file nor another source"],
    [
      "services: {a: {image: x, env_file: gone.env}}",
      "services.a.env_file names gone.env, which doesn't exist",
    ],
    ["services: {a: {build: ./gone}}", "services.a.build.context is ./gone, which doesn't exist"],
    [
      "services: {a: {image: x, mem_limit: many}}",
      "services.a.mem_limit must be a size such as 512m",
    ],
    [
      "services: {a: {image: x, healthcheck: {interval: 5}}}",
      "must be a duration such as 1m30s, not 5",
    ],
    ["services: {a: {image: x, healthcheck: {test: [run]}}}", 'a list that starts with "CMD"'],
    ["services: {a: {image: x, privileged: maybe}}", "services.a.privileged must be true or false"],
    ["services: {a: {image: x, restart: often}}", "services.a.restart must be no, none, always"],
    [
      "services: {a: {image: x, extra_hosts: [far]}}",
      "services.a.extra_hosts[0] must be host:address",
    ],
    [
      "services: {a: {image: x, network_mode: none, networks: [default]}}",
      "can't be combined with networks",
    ],
    ["services: {a: {image: '${A'}}", `${FILE}:1: services.a.image has a \${ without a }`],
    ["services: {a: {image: '${1A}'}}", "has ${1A}, which is not a variable"],
    ["services: {a: {image: x, security_opt: ['seccomp:gone.json']}}", "names gone.json: ENOENT"],
    [
      "services: {a: {image: x, read_only: true, configs: [c]}}\nconfigs: {c: {content: hi}}",
      "can't have c in a read_only service",
    ],
  ])("is an error that names the field: %s", (text, why) => {
    const read = () => reader.project(text);
    expect(read).toThrow(TermRunError);
    expect(read).toThrow(why);
  });
});

describe("what is refused", () => {
  it.each([
    ["privileged: true", "services.db.privileged would give it all power over this machine"],
    [
      "network_mode: host",
      'services.db.network_mode "host" would put it on this machine\'s own network',
    ],
    ["network_mode: 'container:x'", "the network of a container outside"],
    ["devices: ['/dev/fuse']", "services.db.devices would give it this machine's devices"],
    ["gpus: all", "services.db.gpus needs a GPU"],
    [
      "deploy: {resources: {reservations: {devices: [{capabilities: [gpu]}]}}}",
      "reservations.devices needs",
    ],
    ["pid: host", 'services.db.pid "host" would be that of this machine'],
    ["ipc: 'container:x'", 'services.db.ipc "container:x" would be one from outside'],
    ["uts: host", "services.db.uts"],
    ["cgroup: host", "services.db.cgroup"],
    ["userns_mode: host", "services.db.userns_mode"],
    ["cgroup_parent: x", "services.db.cgroup_parent"],
    ["security_opt: ['systempaths=unconfined']", "this machine's kernel settings"],
    ["external_links: [x]", "services.db.external_links"],
    ["volumes_from: ['container:x']", "isn't part of the trial"],
    [
      "volumes: ['/var/run/docker.sock:/s']",
      "services.db.volumes[0] mounts the engine's own socket",
    ],
    ["volumes: [{type: image, source: a, target: /a}]", 'has the type "image"'],
    ["scale: 2", "services.db.scale of more than 1"],
    ["deploy: {replicas: 3}", "services.db.scale of more than 1"],
    ["platform: linux/s390x", "services.db.platform is linux/s390x, and this machine is linux/"],
    ["post_start: [{command: x}]", "services.db.post_start is not supported"],
    ["build: {context: ., ssh: [default]}", "services.db.build.ssh is not supported"],
    [
      "build: {additional_contexts: {a: b}}",
      "services.db.build.additional_contexts is not supported",
    ],
    ["build: 'https://example.org/x.git'", "services.db.build.context is fetched from elsewhere"],
    ["shm_sise: 1g", "services.db.shm_sise is not a known field; did you mean shm_size?"],
    ["healthcheck: {tset: x}", "services.db.healthcheck.tset is not a known field"],
    [
      "image: '${GONE_VARIABLE:?say it}'",
      "services.db.image needs the variable GONE_VARIABLE: say it",
    ],
    [
      "secrets: [s]",
      "needs the variable GONE_VARIABLE, which is not set",
      "secrets: {s: {environment: GONE_VARIABLE}}",
    ],
    ["", "secrets.s.external is not supported", "secrets: {s: {external: true}}"],
    ["", "volumes.v.external is not supported", "volumes: {v: {external: true}}"],
    ["", "volumes.v.driver_opts is not supported", "volumes: {v: {driver_opts: {type: nfs}}}"],
    ["", "networks.n.external is not supported", "networks: {n: {external: true, name: other}}"],
    ["", 'networks.n.driver "macvlan" is not supported', "networks: {n: {driver: macvlan}}"],
    ["", "include is not supported", "include: [more.yaml]"],
    ["", "servces is not a known field; did you mean services?", "servces: {}"],
  ])("%s", (fields, why, more = "") => {
    const text = fields.startsWith("image") ? `services: {db: {${fields}}}` : null;
    const refused = text ? reader.project(text).refused : reader.refused(fields, more);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain(why);
    expect(refused[0]).toMatch(/^docker-compose\.yaml:\d+: /);
  });

  it.each([
    ["main: {read_only: true}", "services.main.read_only would keep the tests"],
    ["main: {pid: 'service:db'}, db: {image: x}", "services.main.pid"],
    [
      "main: {}, db: {image: x, depends_on: {main: {condition: service_healthy}}}",
      "services.db.depends_on waits for main",
    ],
  ])("for the sandbox alone: %s", (services, why) => {
    const { refused } = reader.project(`services: {${services}}`);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain(why);
  });

  it.each([
    "ports: ['80:80']",
    "expose: [80]",
    "labels: {a: b}",
    "logging: {driver: none}",
    "develop: {watch: []}",
    "pull_policy: always",
    "stop_grace_period: 5s",
    "privileged: false",
    "devices: []",
    "restart: unless-stopped",
    "platform: linux",
    "build: {context: ., tags: [a], cache_from: [b]}",
  ])("is not what changes nothing: %s", (fields) => {
    expect(reader.refused(fields)).toEqual([]);
  });
});
