import Docker from "dockerode";
import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import * as registry from "../../src/sandbox/kinds.js";
import { done, RUN, run, runOne, scripted } from "../support/trials.js";
import { docker as hasDocker } from "./kinds.js";

const BUSYBOX = "term-run-test/busybox";
const IMAGE = `image: ${BUSYBOX}`;
const engine = new Docker();

describe.runIf(hasDocker)(
  "services of a compose file",
  () => {
    let provider: SandboxProvider;
    let hardened: SandboxProvider;
    beforeAll(async () => {
      const options = { defaultImage: BUSYBOX };
      provider = (await registry.openProvider("docker", options)).provider;
      hardened = (await registry.openProvider("docker", { ...options, hardened: true })).provider;
    });

    interface Given {
      files?: Record<string, string>;
      toml?: string;
      by?: SandboxProvider;
    }
    const trial = (services: string, commands: string[], { files, toml = "", by }: Given = {}) =>
      runOne({
        provider: by ?? provider,
        files: {
          "task.toml": `[agent]\ntimeout_sec = 120\n${toml}[verifier]\nreward = "exit-code"\n`,
          "environment/docker-compose.yaml": services,
          "tests/test.sh": "#!/bin/sh\ntrue\n",
          ...files,
        },
        agent: scripted(...commands.map(run), done),
      });
    /** What the commands print in the sandbox. */
    const outputs = async (services: string, commands: string[], given: Given = {}) => {
      const { result, commands: finished } = await trial(services, commands, given);
      expect(result).toMatchObject({ outcome: "passed", error: null });
      expect(await leftovers()).toEqual([]);
      return finished.map(({ output }) => output);
    };

    async function leftovers(): Promise<string[]> {
      const filters = { label: [`term-run.run=${RUN}`] };
      const containers = await engine.listContainers({ all: true, filters });
      const networks = await engine.listNetworks({ filters });
      const { Volumes: volumes } = await engine.listVolumes({ filters: filters as never });
      return [
        ...containers.flatMap(({ Names }) => Names),
        ...networks.map(({ Name }) => Name),
        ...(volumes ?? []).map(({ Name }) => Name),
      ];
    }

    /** Fields whose effect a machine can see from within, and a script that prints it. */
    const FIELDS = `
    hostname: box
    environment: {GIVEN: "1", PATH_LIKE: "a:b"}
    group_add: ["4321"]
    ulimits: {nofile: 777}
    sysctls: {net.core.somaxconn: 77}
    extra_hosts: ["far.test:192.0.2.7"]
    dns_search: [inner.test]
    tmpfs: ["/scratch:size=1m,mode=1770"]
    shm_size: 3m
    oom_score_adj: 123
    pids_limit: 99
    cap_add: [NET_ADMIN]
    secrets: [plain, {source: given, target: renamed, mode: 0400, uid: "12", gid: "34"}]
    configs: [{source: inline, target: /etc/inner/app.ini}]`;
    const SECTIONS = `
secrets: {plain: {file: ./plain.txt}, given: {environment: GREETING}}
configs: {inline: {content: "level=$\${N}\\n"}}`;
    const LOOK = [
      "hostname",
      "echo $GIVEN $PATH_LIKE",
      "id -G | tr ' ' '\\n' | grep -c 4321",
      "ulimit -n",
      "cat /proc/sys/net/core/somaxconn",
      "grep -c '192.0.2.7.*far.test' /etc/hosts",
      "grep -c 'search inner.test' /etc/resolv.conf",
      "grep ' /scratch ' /proc/mounts | grep -o 'size=[0-9]*k,mode=[0-9]*'",
      "df -k /dev/shm | tail -1 | tr -s ' ' | cut -d' ' -f2",
      "cat /proc/self/oom_score_adj",
      "cat /run/secrets/plain",
      "stat -c '%a %u %g' /run/secrets/renamed; cat /run/secrets/renamed; echo",
      "cat /etc/inner/app.ini",
    ].join("; ");
    const SEEN = [
      ..."box,1 a:b,1,777,77,1,1,size=1024k,mode=1770,3072,123,s3cr3t".split(/,(?!mode)/),
      ...["400 12 34", "hello", "level=$" + "{N}"],
    ];
    const FILES = { "environment/plain.txt": "s3cr3t\n" };
    const GREETING = '[environment]\nenv = { GREETING = "hello" }\n';

    it("have what the file says of them", async () => {
      const [seen] = await outputs(
        `
services:
  main: {volumes: ["shared:/shared"]}
  db:
    ${IMAGE}
    command: sh -c "(${LOOK.replaceAll('"', '\\"').replaceAll("$", () => "$$")}) >/shared/all 2>&1; mv /shared/all /shared/seen; sleep 1000"
    volumes: ["shared:/shared"]
    healthcheck: {test: "test -e /shared/seen", interval: 200ms, retries: 300}${FIELDS}
volumes: {shared: {}}${SECTIONS}`,
        ["cat /shared/seen"],
        { files: FILES, toml: GREETING },
      );
      expect(seen?.split("\n")).toEqual(SEEN);
    });

    it("and so has the sandbox", async () => {
      const [seen, pids] = await outputs(
        `services:\n  main:\n    ${IMAGE}${FIELDS}${SECTIONS}`,
        [LOOK, "cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null"],
        { files: FILES, toml: GREETING },
      );
      expect(seen?.split("\n")).toEqual(SEEN);
      expect(pids).toBe("99");
    });

    it("are on the networks that the file gives them", async () => {
      const ask = (name: string) =>
        `busybox nslookup -type=a ${name} 127.0.0.11 >/dev/null 2>&1 && echo yes || echo no`;
      const [seen] = await outputs(
        `
services:
  main:
    ${IMAGE}
    networks: [front, back]
    links: ["linked:other-name"]
  seen: {${IMAGE}, command: sleep 1000, networks: {back: {aliases: [alias], ipv4_address: 10.213.7.9}}}
  linked: {${IMAGE}, command: sleep 1000, networks: [front]}
  hidden: {${IMAGE}, command: sleep 1000}
networks:
  front: {}
  back: {internal: true, ipam: {config: [{subnet: 10.213.7.0/24}]}}
`,
        [
          [...["seen", "alias", "other-name", "hidden"].map(ask)].join("; ") +
            "; busybox nslookup -type=a seen 127.0.0.11 | grep -c 10.213.7.9; ls /sys/class/net | grep -c eth",
        ],
      );
      expect(seen?.split("\n")).toEqual(["yes", "yes", "yes", "no", "1", "2"]);
    });

    it("take turns where two trials have the same addresses", async () => {
      const services = `
services:
  main: {${IMAGE}, networks: [back]}
  db: {${IMAGE}, command: sleep 1000, networks: {back: {ipv4_address: 10.213.8.9}}}
networks: {back: {ipam: {config: [{subnet: 10.213.8.0/24}]}}}
`;
      const both = await Promise.all([1, 2].map(() => trial(services, ["true"])));
      expect(both.map(({ result }) => result.outcome)).toEqual(["passed", "passed"]);
    });

    it("can share namespaces with each other and with the sandbox", async () => {
      const [seen] = await outputs(
        `
services:
  main: {${IMAGE}, volumes: ["shared:/shared"]}
  web: {${IMAGE}, command: httpd -f -p 127.0.0.1:80 -h /bin, network_mode: "service:main"}
  beside:
    ${IMAGE}
    command: sh -c "ps | grep -c '[h]ttpd' >/shared/count; sleep 1000"
    pid: "service:web"
    volumes_from: [main]
    healthcheck: {test: "test -s /shared/count", interval: 200ms, retries: 300}
  alone: {${IMAGE}, command: sh -c "ls /sys/class/net >/shared/links; sleep 1000", network_mode: none, volumes: ["shared:/shared"], healthcheck: {test: "test -s /shared/links", interval: 200ms, retries: 300}}
volumes: {shared: {}}
`,
        [
          "busybox wget -q -O /dev/null http://127.0.0.1/busybox && echo ok; cat /shared/count /shared/links",
        ],
      );
      expect(seen?.split("\n")).toEqual(["ok", "1", "lo"]);
    });

    it("start at the same time unless they depend on each other", async () => {
      // `first` waits for a service that waits for `last`, which comes after it in the file.
      const [seen] = await outputs(
        `
services:
  main:
    ${IMAGE}
    volumes: ["s:/s"]
    depends_on: {first: {condition: service_healthy}}
  first: {${IMAGE}, command: "sh -c 'echo first >>/s/order; sleep 1000'", volumes: ["s:/s"], depends_on: {init: {condition: service_completed_successfully}}, healthcheck: {test: "true", interval: 200ms}}
  init: {${IMAGE}, command: "sh -c 'until [ -e /s/last ]; do sleep 0.1; done; echo init >>/s/order'", volumes: ["s:/s"]}
  last: {${IMAGE}, command: "sh -c 'echo last >>/s/order; touch /s/last; sleep 1000'", volumes: ["s:/s"]}
volumes: {s: {}}
`,
        ["cat /s/order"],
      );
      expect(seen?.split("\n")).toEqual(["last", "init", "first"]);
    });

    it("are started again where the file says so", async () => {
      const [seen] = await outputs(
        `
services:
  main: {${IMAGE}, volumes: ["s:/s"]}
  dies:
    ${IMAGE}
    command: sh -c "echo x >>/s/starts; sleep 0.5; exit 1"
    restart: always
    volumes: ["s:/s"]
    healthcheck: {disable: true}
volumes: {s: {}}
`,
        ["until [ $(wc -l </s/starts) -ge 3 ]; do sleep 0.1; done; echo again"],
      );
      expect(seen).toBe("again");
    });

    it("have the engine's usual privileges, and fewer where hardened", async () => {
      const services = `
services:
  main: {${IMAGE}, volumes: ["s:/s"]}
  db:
    ${IMAGE}
    command: sh -c "grep NoNewPrivs /proc/self/status | tr -dc 01 >/s/privs; sleep 1000"
    volumes: ["s:/s"]
    healthcheck: {test: "test -s /s/privs", interval: 200ms, retries: 300}
volumes: {s: {}}
`;
      expect(await outputs(services, ["cat /s/privs"])).toEqual(["0"]);
      expect(await outputs(services, ["cat /s/privs"], { by: hardened })).toEqual(["1"]);
    });

    it("have to be there before the agent begins", async () => {
      const { result } = await trial(
        `services:\n  main: {${IMAGE}}\n  broken: {${IMAGE}, command: "sh -c 'exit 7'"}\n  fine: {${IMAGE}, command: sleep 1000, depends_on: {broken: {condition: service_completed_successfully}}}`,
        ["true"],
      );
      expect(result).toMatchObject({ outcome: "infra_error" });
      expect(result.error?.message).toContain("the service broken exited with code 7");
      expect(await leftovers()).toEqual([]);
    });

    it("needn't all be healthy in Terminal-Bench", async () => {
      const { result } = await runOne({
        provider,
        files: {
          "task.toml": null,
          "task.yaml": "instruction: Wait.\nparser_name: swebench\n",
          "docker-compose.yaml": `
services:
  client: {image: ${registry.DEFAULT_IMAGE}}
  broken: {${IMAGE}, command: sleep 1000, healthcheck: {test: "exit 1", interval: 100ms, retries: 1}}
`,
          "run-tests.sh":
            "echo SWEBench results starts here; echo PASSED; echo SWEBench results ends here\n",
        },
        agent: "nop",
      });
      expect(result).toMatchObject({ outcome: "passed", error: null });
    });

    it("wait for the sandbox's own health check in the file", async () => {
      const [seen] = await outputs(
        `services:\n  main:\n    ${IMAGE}\n    healthcheck: {test: "echo x >>/tmp/tries; [ $$(wc -l </tmp/tries) -ge 2 ]", interval: 200ms, retries: 100}`,
        ["[ $(wc -l </tmp/tries) -ge 2 ] && echo healthy"],
      );
      expect(seen).toBe("healthy");
    });

    it("run a command of the sandbox's own beside the agent", async () => {
      const [seen] = await outputs(
        `services:\n  main: {${IMAGE}, entrypoint: [env, FROM=entry], command: "sh -c 'echo $$FROM >/tmp/mark; sleep 1000'"}`,
        ["until [ -s /tmp/mark ]; do sleep 0.1; done; cat /tmp/mark"],
      );
      expect(seen).toBe("entry");
    });
  },
  300_000,
);
