// Copies what tsc doesn't: the shell driver, the native programs, the JSON Schemas, the report's page, and the templates,
// which must not be compiled.

import { statSync } from "node:fs";
import { cp } from "node:fs/promises";
import { extname } from "node:path";

const KINDS = [".sh", ".json", ".css", ".js", ".mjs"];
const NATIVE = /^src\/(sandbox\/native\/(init|egress)|leash\/native\/leash)-\w+$/;
const wanted = (path) =>
  statSync(path).isDirectory() ||
  path.startsWith("src/init/templates/") ||
  KINDS.includes(extname(path)) ||
  NATIVE.test(path);
await cp("src", "dist", { recursive: true, filter: wanted });
