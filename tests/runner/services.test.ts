import Docker from "dockerode";
import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import { docker as hasDocker, openProvider } from "../sandbox/kinds.js";
import { done, RUN, run, runOne, scripted } from "../support/trials.js";

const BUSYBOX = "term-run-test/busybox";
const ask = (url: string) => `busybox wget -q -O - ${url}`;

/** Two services beside the sandbox: a page, and a word that the page waits for. */
const services = (word: string) => `
services:
  main:
    image: ${BUSYBOX}
    working_dir: /tmp
    depends_on: [web]
    volumes: ["shared:/shared"]
  web:
    image: ${BUSYBOX}
    command: sh -c "mkdir /www; cat /shared/ready > /www/index.html; exec httpd -f -p 80 -h /www"
    depends_on: {state: {condition: service_healthy}}
    volumes: ["shared:/shared:ro"]
    networks: {default: {aliases: [www]}}
  state:
    image: ${BUSYBOX}
    command: sh -c "sleep 0.3; echo \${GREETING:-${word}} > /shared/ready; exec sleep 1000"
    healthcheck: {test: "test -s /shared/ready", interval: 200ms, retries: 200}
    volumes: ["shared:/shared"]
volumes: {shared: {}}
`;

describe.runIf(hasDocker)("a task with more than one machine", () => {
  let provider: SandboxProvider;
  const engine = new Docker();
  beforeAll(async () => {
    provider = await openProvider({ name: "docker", kind: "docker", image: BUSYBOX, bash: false });
  });
  const toml = (text: string, verifier = "") => ({
    "task.toml": `${text}[verifier]\nreward = "exit-code"\n${verifier}`,
  });

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

  const withServices = (word: string) =>
    runOne({
      provider,
      files: {
        ...toml("[environment]\nallow_internet = false\n"),
        "environment/docker-compose.yaml": services(word),
        "tests/test.sh": `#!/bin/sh\n[ "$(${ask("http://web")})" = ${word} ] && grep -qx ${word} /shared/mine\n`,
      },
      // Appended, so that anything left by another trial would be seen.
      agent: scripted(run(`${ask("http://www/")}; echo ${word} >> /shared/mine; ls /shared`), done),
    });

  it("runs its services on a network of the trial, and leaves none of it", async () => {
    const { result, commands } = await withServices("hello");
    expect(commands[0]).toMatchObject({ output: "hello\nmine\nready", exit_code: 0 });
    expect(result).toMatchObject({ outcome: "passed", error: null });
    expect(await leftovers()).toEqual([]);
  });

  it("keeps many at once apart, and leaves none of them", async () => {
    const words = Array.from({ length: 12 }, (_, at) => `word-${at}`);
    const queue = [...words];
    const seen: Record<string, unknown> = {};
    const work = async () => {
      for (let word = queue.pop(); word; word = queue.pop()) {
        const { result, commands } = await withServices(word);
        seen[word] = [result.outcome, commands[0]?.output];
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(seen).toEqual(
      Object.fromEntries(words.map((word) => [word, ["passed", `${word}\nmine\nready`]])),
    );
    expect(await leftovers()).toEqual([]);
  }, 300_000);

  it("is an infrastructure error when a service never becomes healthy", async () => {
    const { result } = await runOne({
      provider,
      files: {
        "environment/docker-compose.yaml": `
services:
  broken:
    image: ${BUSYBOX}
    command: sleep 1000
    healthcheck: {test: "exit 1", interval: 100ms, retries: 2}
`,
      },
      agent: "nop",
    });
    expect(result).toMatchObject({ outcome: "infra_error" });
    expect(result.error?.message).toContain("the service broken is not healthy");
    expect(await leftovers()).toEqual([]);
  });

  it("verifies on a machine of its own, with the declared artifacts alone", async () => {
    const trial = (agent: ReturnType<typeof scripted>) =>
      runOne({
        provider,
        files: {
          ...toml(
            `artifacts = ["/app/out.txt", {source = "/app/dir", exclude = ["*.tmp"]}]\n`,
            `environment_mode = "separate"\n`,
          ),
          "tests/Dockerfile": `FROM ${BUSYBOX}\nCOPY test.sh /tests/test.sh\nWORKDIR /app\n`,
          "tests/test.sh": `#!/bin/sh
[ "$(cat /app/out.txt)" = right ] && [ -f /app/dir/kept ] && [ ! -e /app/dir/x.tmp ] && [ ! -e /app/other ]
`,
        },
        agent,
      });
    const work =
      "mkdir -p dir; touch dir/kept dir/x.tmp other; printf '#!/bin/sh\\nexit 0\\n' > /bin/cat";
    const right = await trial(scripted(run(`echo right > out.txt; ${work}`), done));
    expect(right.result).toMatchObject({ outcome: "passed", reward: 1, error: null });
    const wrong = await trial(scripted(run(`echo wrong > out.txt; ${work}`), done));
    expect(wrong.result).toMatchObject({ outcome: "failed", reward: 0, error: null });
    expect(await leftovers()).toEqual([]);
  });

  it("switches the network by phase", async () => {
    const links = "cd /sys/class/net && echo *";
    const { result, commands, find } = await runOne({
      provider,
      files: {
        ...toml(`[agent]\nnetwork_mode = "no-network"\n`),
        "tests/test.sh": "#!/bin/sh\nls /sys/class/net; ls /sys/class/net | grep -q eth\n",
      },
      agent: scripted(run(links), done),
    });
    expect(commands[0]?.output).toBe("lo");
    expect(find("verifier_finished")[0]?.output).toContain("eth");
    expect(result).toMatchObject({ outcome: "passed", error: null });
  });

  it("switches the network of services along with the sandbox's", async () => {
    const links = "ls /sys/class/net | grep -c eth";
    const { result, commands, find } = await runOne({
      provider,
      files: {
        ...toml(`[agent]\nnetwork_mode = "no-network"\n`),
        "environment/docker-compose.yaml": `
services:
  web:
    image: ${BUSYBOX}
    command: sh -c "mkdir /www; ${links} > /www/index.html; exec httpd -f -p 80 -h /www"
`,
        "tests/test.sh": `#!/bin/sh\n${links}; ${ask("http://web")}; [ $(${links}) = 2 ]\n`,
      },
      agent: scripted(
        run(links),
        run(`until ${ask("http://web")}; do sleep 0.1; done`),
        run(ask("http://other.test")),
        done,
      ),
    });
    expect(commands[0]?.output).toBe("1");
    // It began on the environment's network, which is the internet.
    expect(commands[1]?.output).toContain("2");
    expect(commands[2]?.exit_code).not.toBe(0);
    expect(find("verifier_finished")[0]?.output).toBe("2\n2");
    expect(result).toMatchObject({ outcome: "passed", error: null });
    expect(await leftovers()).toEqual([]);
  });

  it("gives a separate verifier its own network, whatever the agent's is", async () => {
    const links = "ls /sys/class/net | grep -c eth";
    const trial = (agent: string, verifier: string, phase = "") =>
      runOne({
        provider,
        files: {
          ...toml(
            `[environment]\nnetwork_mode = "${agent}"\n`,
            `${phase}[verifier.environment]\nnetwork_mode = "${verifier}"\n`,
          ),
          "tests/Dockerfile": `FROM ${BUSYBOX}\nCOPY test.sh /tests/test.sh\nWORKDIR /app\n`,
          "tests/test.sh": `#!/bin/sh\n${links}\nexit 0\n`,
        },
        agent: scripted(run(links), done),
      });
    const inside = await trial("no-network", "public");
    expect(inside.commands[0]?.output).toBe("0");
    expect(inside.find("verifier_finished")[0]?.output).toBe("1");
    const outside = await trial("public", "no-network");
    expect(outside.commands[0]?.output).toBe("1");
    expect(outside.find("verifier_finished")[0]?.output).toBe("0");
    const phase = await trial("public", "public", 'network_mode = "no-network"\n');
    expect(phase.find("verifier_finished")[0]?.output).toBe("0");
  });

  it("runs agent and tests as the users that the task names", async () => {
    const { result, commands } = await runOne({
      provider,
      files: {
        ...toml("[agent]\nuser = 1234\n", "user = 4321\n"),
        "tests/test.sh": "#!/bin/sh\n[ $(id -u) = 4321 ]\n",
      },
      agent: scripted(run("id -u"), done),
    });
    expect(commands[0]?.output).toBe("1234");
    expect(result).toMatchObject({ outcome: "passed", error: null });
  });

  it("waits for the task's health check", async () => {
    const check = (command: string) =>
      toml(
        `[environment.healthcheck]\ncommand = "${command}"\ninterval_sec = 0.1\nretries = 3\nstart_interval_sec = 0.1\n`,
      );
    const { result } = await runOne({
      provider,
      files: check("echo x >> /tmp/tries; [ $(wc -l < /tmp/tries) -ge 3 ]"),
      agent: scripted(
        run("wc -l < /tmp/tries | grep -q 3 && echo 'Hello, world!' > hello.txt"),
        done,
      ),
    });
    expect(result).toMatchObject({ outcome: "passed", error: null });
    const never = await runOne({ provider, files: check("exit 1"), agent: "nop" });
    expect(never.result).toMatchObject({ outcome: "infra_error" });
    expect(never.result.error?.message).toContain("health check failed 3 times");
  });
});
