import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Docker from "dockerode";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { NetworkPolicy, Sandbox, Task } from "../../src/interfaces/index.js";
import { until } from "../support/until.js";
import { clientHello, dnsQuery } from "./egress/messages.js";
import { startUpstream, type Upstream } from "./egress/upstream.js";
import { docker as hasDocker, type Kind, makeTask, openSandbox, watchdog } from "./kinds.js";

const kind: Kind = { name: "docker", kind: "docker", image: "", bash: true };
const options = { timeoutMs: 60_000, signal: new AbortController().signal };
const list = (...hosts: string[]): NetworkPolicy => ({ mode: "allowlist", hosts });
const LISTED = "listed.upstream.test";
const OTHER = "other.upstream.test";
const WILD = "a.wild.upstream.test";

/** Shell functions for what a sandbox tries. */
const TOOLS = `
reach() { timeout 20 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null && echo open || echo shut; }
get() { timeout 60 bash -c 'exec 3<>/dev/tcp/$0/80; printf "GET / HTTP/1.1\\r\\nHost: $1\\r\\n\\r\\n" >&3; cat <&3' "$1" "\${2:-$1}" 2>/dev/null | grep -aoE '^(served|HTTP/1.1 [0-9]+)' | tail -n 1; }
found() { getent ahostsv4 "$1" >/dev/null && echo found || echo unknown; }
bytes() { timeout 60 bash -c 'exec 3<>/dev/tcp/$0/$1; printf "$2" >&3; cat <&3' "$@" 2>/dev/null | od -An -tx1 -v | tr -d ' \\n'; }
`;
const escaped = (bytes: Buffer) =>
  `'${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;

describe.runIf(hasDocker)("a network with a list of allowed hosts", { timeout: 240_000 }, () => {
  const engine = new Docker();
  const opened: Sandbox[] = [];
  let upstream: Upstream;

  beforeAll(async () => {
    upstream = await startUpstream([LISTED, OTHER, WILD]);
  });
  afterEach(async () => {
    for (const sandbox of opened.splice(0)) await sandbox.close();
  });
  afterAll(async () => {
    await upstream?.close();
    watchdog.dismiss();
  });

  async function open(changes: Partial<Task["environment"]>, task: Partial<Task> = {}) {
    const sandbox = await openSandbox(kind, { ...makeTask(changes), ...task });
    opened.push(sandbox);
    await sandbox.run(TOOLS, options);
    if ((await containersOf(sandbox)).length > 1) await upstream.join(sandbox);
    return {
      sandbox,
      output: async (command: string) => (await sandbox.run(command, options)).output,
      use: (policy: NetworkPolicy) => sandbox.useNetwork?.(policy),
    };
  }

  async function containersOf({ id }: Sandbox): Promise<string[]> {
    const filters = { label: [`term-run.sandbox=${id}`] };
    const containers = await engine.listContainers({ all: true, filters });
    const networks = await engine.listNetworks({ filters });
    return [...containers.flatMap(({ Names }) => Names), ...networks.map(({ Name }) => Name)];
  }

  it("lets HTTP through to allowed hosts, and nothing else", async () => {
    const { output } = await open({ network: list(LISTED, "*.wild.upstream.test") });
    expect(await output(`get ${LISTED}`)).toBe("served");
    expect(await output(`get ${WILD}`)).toBe("served");
    expect(await output(`get ${LISTED} ${OTHER}`)).toBe("HTTP/1.1 403");
    expect(await output(`found ${OTHER}; found wild.upstream.test`)).toBe("unknown\nunknown");
    expect(await output(`reach ${upstream.address} 80`)).toBe("shut");
    for (const port of [8080, 22]) expect(await output(`reach ${LISTED} ${port}`)).toBe("shut");
    expect(
      await output("ls /proc/sys/net/ipv6/conf; cat /proc/net/ipv6_route | grep -v ' lo$'"),
    ).not.toMatch(/^[0-9a-f]{32} .* eth/m);
  });

  it("lets TLS through by its name, whatever name was looked up", async () => {
    const { output } = await open({ network: list(LISTED) });
    const hello = clientHello(LISTED);
    const echo = Buffer.concat([Buffer.from("echo "), hello]).toString("hex");
    expect(await output(`bytes ${LISTED} 443 ${escaped(hello)}`)).toBe(echo);
    const refused = "15030100020231";
    expect(await output(`bytes ${LISTED} 443 ${escaped(clientHello(OTHER))}`)).toBe(refused);
    expect(await output(`bytes ${LISTED} 443 ${escaped(clientHello(null))}`)).toBe(refused);
  });

  it("has one resolver, which knows no other names: none leaves in a query", async () => {
    const { sandbox, output } = await open({ network: list(LISTED) });
    const resolver = (await output("sed -n 's/^nameserver //p' /etc/resolv.conf")).trim();
    const ask = (server: string, query: Buffer) =>
      output(
        `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(PeerAddr => "${server}:53", Proto => "udp") or die "shut";` +
          `$s->send(pack "H*", "${query.toString("hex")}") or die "shut"; vec($r, fileno $s, 1) = 1;` +
          `select($r, undef, undef, 5) or die "silent"; $s->recv($b, 999) // die "shut"; print ord(substr $b, 3) & 15' 2>&1`,
      );
    const secret = dnsQuery(`c2VjcmV0.${LISTED}`);
    expect(await ask(resolver, secret)).toBe("3");
    expect(await ask(resolver, dnsQuery(LISTED))).toBe("0");
    // The engine's own one, where it runs beside every container of a network.
    expect(await ask("127.0.0.11", secret)).toMatch(/^[235]$/);
    expect(await ask(upstream.address, secret)).toMatch(/^(shut|silent)/);
    const { Config, HostConfig } = await engine.getContainer(sandbox.id).inspect();
    expect(HostConfig.Dns).toEqual([resolver]);
    expect(Config.Labels["term-run.sandbox"]).toBe(sandbox.id);
  });

  it("forwards no packet that is sent to the egress container itself", async () => {
    const { sandbox, output } = await open({ network: list(LISTED) });
    const egress = await engine.getContainer(`${sandbox.id}.egress`).inspect();
    // Where the engine's own rules don't see it, the container doesn't pass it on.
    expect(egress.HostConfig.Sysctls).toMatchObject({ "net.ipv4.ip_forward": "0" });
    expect(egress.HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      CapAdd: null,
    });
    expect(egress.Config.User).not.toMatch(/^(0|root)?(:|$)/);
    const { MacAddress } = egress.NetworkSettings.Networks[`${sandbox.id}-net`] ?? {};
    const packet = `
      my ($own) = \`cat /proc/net/fib_trie\` =~ /((?!127)\\d+\\.\\d+\\.\\d+\\.\\d+)\\n\\s+\\/32 host LOCAL/;
      open F, "</sys/class/net/eth0/ifindex"; my $index = <F>;
      socket S, 17, 3, 8 or die "no socket";
      my $ip = pack "CCnnnCCna4a4", 69, 0, 34, 1, 0, 64, 17, 0, map { pack "C4", split /\\./ } $own, "${upstream.address}";
      my $sum = 0; $sum += $_ for unpack "n*", $ip; $sum = ($sum & 65535) + ($sum >> 16) while $sum >> 16;
      substr($ip, 10, 2) = pack "n", ~$sum & 65535;
      my $frame = pack("H12", "${(MacAddress ?? "").replaceAll(":", "")}") . "\\2\\2\\2\\2\\2\\2" . pack("n", 2048) . $ip . pack("n4", 999, 53, 14, 0) . "forged";
      send S, $frame, 0, pack "SnlSCCa8", 17, 2048, $index, 0, 0, 6, "" or die "not sent $!"; print "sent";`;
    await sandbox.upload(writePerl(packet), "/opt");
    expect(await output("perl /opt/packet.pl 2>&1")).toBe("sent");
    expect(await output(`get ${LISTED}`)).toBe("served");
    expect(await upstream.output()).not.toContain("forged");
  });

  it("keeps the host's own services out of reach", async () => {
    const { sandbox, output } = await open({ network: list(LISTED) });
    const server = createServer((socket) => socket.end()).listen(0, "0.0.0.0");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const networks = [`${sandbox.id}-net`, "bridge"];
    for (const name of networks) {
      const { IPAM } = await engine.getNetwork(name).inspect();
      for (const { Gateway } of IPAM?.Config ?? [])
        expect(await output(`reach ${Gateway} ${port}`)).toBe("shut");
    }
    server.close();
  });

  it("changes with the phase, and no connection lives on", async () => {
    const { sandbox, output, use } = await open(
      { network: list(LISTED) },
      {
        agentNetwork: list(OTHER),
        verifier: { ...makeTask().verifier, network: { mode: "none" } },
      },
    );
    const hold = async (host: string) => {
      const request = `printf 'GET /hold HTTP/1.1\\r\\nHost: ${host}\\r\\n\\r\\n'`;
      await output(
        `rm -f held ended; (exec 3<>/dev/tcp/${host}/80; ${request} >&3; cat <&3 >held; touch ended) &`,
      );
      await until(async () => (await output("cat held")).includes("served"), { what: "an answer" });
    };
    const ended = () =>
      until(async () => (await output("ls")).includes("ended"), { what: "the end" });
    await hold(LISTED);
    await use(list(OTHER));
    await ended();
    expect(await output(`found ${LISTED}; get ${OTHER}`)).toBe("unknown\nserved");
    await hold(OTHER);
    await use({ mode: "none" });
    await ended();
    expect(await output(`found ${LISTED}; found ${OTHER}`)).toBe("unknown\nunknown");
    await use(list(LISTED));
    expect(await output(`get ${LISTED}`)).toBe("served");
    expect(await containersOf(sandbox)).toHaveLength(3);
  });

  it("changes to everything and back, and what was connected directly is cut off", async () => {
    const { output, use } = await open(
      { network: { mode: "public" } },
      { verifier: { ...makeTask().verifier, network: list(LISTED) } },
    );
    const direct = await startBridged();
    try {
      const reached = async () => (await output(`reach ${direct.address} 8080`)) === "open";
      await until(reached, { what: "a connection to the server on the bridge" });
      await output(
        `exec 9<>/dev/tcp/${direct.address}/8080; echo again >&9; read -ru 9 line; echo $line`,
      );
      await use(list(LISTED));
      expect(await output(`reach ${direct.address} 8080`)).toBe("shut");
      expect(await output(`echo again >&9; read -t 5 -ru 9 line && echo alive`)).not.toContain(
        "alive",
      );
      expect(await output(`get ${LISTED}; found ${OTHER}`)).toBe("served\nunknown");
      await use({ mode: "public" });
      expect(await output(`reach ${direct.address} 8080; found ${OTHER}`)).toBe("open\nfound");
    } finally {
      await direct.close();
    }
  });

  it("holds for services as well, which reach each other by their names", async () => {
    const dir = mkdtempSync(join(tmpdir(), "allowlist-"));
    const command =
      "perl -MIO::Socket::INET -e '$$s = IO::Socket::INET->new(LocalPort => 80, Listen => 5); " +
      // All of the request: closing over what wasn't read would reset the connection.
      'while ($$c = $$s->accept) { $$b = ""; 1 while sysread $$c, $$b, 999, length $$b and $$b !~ /\\r\\n\\r\\n/; ' +
      'print $$c "HTTP/1.1 200 OK\\r\\n\\r\\nserved"; close $$c }\'';
    const file = join(dir, "docker-compose.yaml");
    writeFileSync(
      file,
      `services: {web: {image: "debian:bookworm-slim", command: ${JSON.stringify(command)}, networks: {default: {aliases: [www]}}}}\n`,
    );
    const { sandbox, output, use } = await open(
      { network: list(LISTED), compose: { file, service: "main", variables: {}, awaited: true } },
      { agentNetwork: { mode: "none" } },
    );
    rmSync(dir, { recursive: true });
    const inService = async (line: string) =>
      (await sandbox.exec(`${TOOLS}\n${line}`, { ...options, service: "web" })).output;
    const served = async () => (await output("get web; get www")) === "served\nserved";
    await until(served, { what: "the service's answers" });
    expect(await output(`get ${LISTED}; found ${OTHER}`)).toBe("served\nunknown");
    expect(await inService(`get ${LISTED}; found ${OTHER}; reach ${upstream.address} 80`)).toBe(
      "served\nunknown\nshut",
    );
    await use({ mode: "none" });
    expect(await output(`get web; found ${LISTED}`)).toBe("served\nunknown");
    expect(await inService(`get ${LISTED}`)).toBe("HTTP/1.1 403");
  });

  it("keeps trials apart", async () => {
    const [one, other] = await Promise.all([
      open({ network: list(LISTED) }),
      open({ network: list(OTHER) }),
    ]);
    for (const name of [other.sandbox.id, `${other.sandbox.id}.egress`]) {
      const { NetworkSettings } = await engine.getContainer(name).inspect();
      for (const { IPAddress } of Object.values(NetworkSettings.Networks))
        for (const port of [53, 80])
          expect(await one.output(`reach ${IPAddress} ${port}`)).toBe("shut");
    }
    expect(await one.output(`get ${LISTED}; found ${OTHER}`)).toBe("served\nunknown");
    expect(await other.output(`get ${OTHER}; found ${LISTED}`)).toBe("served\nunknown");
  });

  it("costs other networks nothing", async () => {
    for (const network of [null, { mode: "public" }, { mode: "none" }] as const) {
      const { sandbox } = await open({ network });
      expect(await containersOf(sandbox)).toEqual([`/${sandbox.id}`]);
    }
  });

  it("leaves nothing, or all of it until it is removed by hand", async () => {
    const { sandbox } = await open({ network: list(LISTED) });
    expect(await containersOf(sandbox)).toHaveLength(3);
    await sandbox.close();
    expect(await containersOf(sandbox)).toEqual([]);
    const kept = (await open({ network: list(LISTED) })).sandbox;
    const { remove } = await kept.keep();
    await kept.close();
    expect(await containersOf(kept)).toHaveLength(3);
    const inside = await engine.getContainer(kept.id).exec({
      Cmd: ["bash", "-c", `${TOOLS}\nget ${LISTED}`],
      AttachStdout: true,
      Tty: true,
    });
    const stream = await inside.start({ Tty: true });
    let said = "";
    for await (const chunk of stream) said += chunk;
    expect(said.trim()).toBe("served");
    await upstream.leave(kept);
    await promisify(execFile)("sh", ["-c", remove]);
    expect(await containersOf(kept)).toEqual([]);
  });

  function writePerl(text: string): string {
    const dir = mkdtempSync(join(tmpdir(), "allowlist-"));
    writeFileSync(join(dir, "packet.pl"), text);
    return dir;
  }

  /** A server on the bridge, where only sandboxes without limits are. */
  async function startBridged() {
    const server =
      "use IO::Socket::INET; $s = IO::Socket::INET->new(LocalPort => 8080, Listen => 5) or die;" +
      'while ($c = $s->accept) { next if fork; while (sysread $c, $b, 999) { syswrite $c, "echo $b" } exit }';
    const container = await engine.createContainer({
      Image: "debian:bookworm-slim",
      Cmd: ["perl", "-e", server],
      HostConfig: { Init: true },
    });
    await container.start();
    const { NetworkSettings } = await container.inspect();
    const address = NetworkSettings.Networks.bridge?.IPAddress ?? "";
    return { address, close: () => container.remove({ force: true }) };
  }
});
