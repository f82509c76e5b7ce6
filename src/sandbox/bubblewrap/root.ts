import { chmod, lchown, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LOG_FOLDERS } from "../log-folders.js";
import { SHARED_MEMORY } from "./arguments.js";

const PASSWD = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n";
const GROUP = "root:x:0:\nnogroup:x:65534:\n";
const HOSTS = "127.0.0.1 localhost term-run\n::1 localhost\n";

const FOLDERS = ["etc", "root", "var/log", "run", "opt", "home", "srv", "mnt"];
const TEMPORARY = ["tmp", "var/tmp", SHARED_MEMORY];

/**
 * Lays out a fresh machine's writable part: an empty home, temp folders, a small /etc. It is given
 * to a user of the host, if there is one to give it to.
 */
export async function layOutRoot(root: string, workdir: string, uid: number | null): Promise<void> {
  for (const folder of [...FOLDERS, ...TEMPORARY, ...LOG_FOLDERS])
    await mkdir(join(root, folder), { recursive: true });
  await mkdir(join(root, workdir), { recursive: true });
  for (const folder of TEMPORARY) await chmod(join(root, folder), 0o1777);
  await chmod(root, 0o755);
  const files = { passwd: PASSWD, group: GROUP, hosts: HOSTS, hostname: "term-run\n" };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, "etc", name), text);
  await writeFile(
    join(root, "etc", "nsswitch.conf"),
    "passwd: files\ngroup: files\nhosts: files\n",
  );
  if (uid === null) return;
  const made = await readdir(root, { recursive: true });
  for (const path of [".", ...made]) await lchown(join(root, path), uid, uid);
}
