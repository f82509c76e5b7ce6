import { randomBytes } from "node:crypto";
import Docker from "dockerode";
import type { Sandbox } from "../../../src/interfaces/index.js";
import { Teardown } from "../../../src/process/teardown.js";

const engine = new Docker();

/** Answers on three ports, holds a connection open that asks for it, and writes down datagrams. */
const SERVER = `
use IO::Socket::INET;
$| = 1;
for my $port (80, 443, 8080) {
  my $server = IO::Socket::INET->new(LocalPort => $port, Listen => 50, ReuseAddr => 1) or die;
  next if fork;
  while (my $client = $server->accept) {
    next if fork;
    while (sysread $client, my $bytes, 65536) {
      syswrite $client, $port == 80 ? "HTTP/1.1 200 OK\\r\\n\\r\\nserved" : "echo $bytes";
      exit unless $bytes =~ m{/hold|again};
    }
    exit;
  }
}
my $datagrams = IO::Socket::INET->new(LocalPort => 53, Proto => "udp") or die;
print "ready\\n";
while (defined $datagrams->recv(my $bytes, 65536)) { print "datagram $bytes\\n" }
`;

export interface Upstream {
  /** Its address on the network that only it and egress containers are on. */
  address: string;
  /** Lets a sandbox's egress container find it. */
  join(sandbox: Sandbox): Promise<void>;
  leave(sandbox: Sandbox): Promise<void>;
  output(): Promise<string>;
  close(): Promise<void>;
}

/** A server outside of every sandbox, with these names for those on its network. */
export async function startUpstream(names: string[]): Promise<Upstream> {
  const name = `term-run-test-${randomBytes(4).toString("hex")}`;
  const network = engine.getNetwork(name);
  const container = engine.getContainer(name);
  const teardown = new Teardown();
  teardown.add(() => network.remove());
  await engine.createNetwork({ Name: name });
  teardown.add(() => container.remove({ force: true }));
  await engine.createContainer({
    name,
    Image: "debian:bookworm-slim",
    Cmd: ["perl", "-e", SERVER],
    HostConfig: { NetworkMode: name, Init: true },
    NetworkingConfig: { EndpointsConfig: { [name]: { Aliases: names } } },
  });
  const output = async () => (await container.logs({ stdout: true, stderr: true })).toString();
  await container.start();
  while (!(await output()).includes("ready")) {
    const { State } = await container.inspect();
    if (!State.Running) throw new Error(await output());
  }
  const { NetworkSettings } = await container.inspect();
  const leave = ({ id }: Sandbox) =>
    network.disconnect({ Container: `${id}.egress`, Force: true }).catch(() => {});
  return {
    address: NetworkSettings.Networks[name]?.IPAddress ?? "",
    join: async (sandbox) => {
      await network.connect({ Container: `${sandbox.id}.egress` });
      teardown.add(() => leave(sandbox));
    },
    leave,
    output,
    close: () => teardown.run(),
  };
}
