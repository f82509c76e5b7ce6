import { join } from "node:path";
import { hashFile, listFiles, MANIFEST, type Manifest } from "./manifest.js";
import type { Problem } from "./problem.js";

/** Whether the files are those in the manifest, byte for byte. */
export async function checkFiles(dir: string, manifest: Manifest): Promise<Problem[]> {
  const found = await listFiles(dir);
  const present = new Set(found.files.filter((file) => file !== MANIFEST));
  const problems: Problem[] = found.others.map((where) => ({
    code: "unexpected",
    where,
    message: "it is neither a file nor a folder",
  }));
  for (const [where, stated] of Object.entries(manifest.files)) {
    if (!present.delete(where)) {
      problems.push({ code: "missing", where, message: "the file is missing" });
      continue;
    }
    const actual = await hashFile(join(dir, where));
    if (actual.sha256 !== stated?.sha256 || actual.bytes !== stated?.bytes)
      problems.push({ code: "altered", where, message: "it is not the file that was submitted" });
  }
  for (const where of present)
    problems.push({ code: "unexpected", where, message: "the file is not in the manifest" });
  return problems;
}
