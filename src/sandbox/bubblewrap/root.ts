import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PASSWD = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n";
const GROUP = "root:x:0:\nnogroup:x:65534:\n";
const HOSTS = "127.0.0.1 localhost term-run\n::1 localhost\n";

/** Lays out a fresh machine's writable part: an empty home, temp folders, a small /etc. */
export async function layOutRoot(root: string, workdir: string): Promise<void> {
  const folders = ["etc", "root", "tmp", "var/tmp", "var/log", "run", "opt", "home", "srv", "mnt"];
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
  await mkdir(join(root, workdir), { recursive: true });
  await chmod(join(root, "tmp"), 0o1777);
  await chmod(join(root, "var/tmp"), 0o1777);
  await chmod(root, 0o755);
  const files = { passwd: PASSWD, group: GROUP, hosts: HOSTS, hostname: "term-run\n" };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, "etc", name), text);
  await writeFile(
    join(root, "etc", "nsswitch.conf"),
    "passwd: files\ngroup: files\nhosts: files\n",
  );
}
