// tsc leaves behind what isn't TypeScript: the shell driver and the JSON Schemas.

import { statSync } from "node:fs";
import { cp } from "node:fs/promises";
import { extname } from "node:path";

const wanted = (path) => statSync(path).isDirectory() || [".sh", ".json"].includes(extname(path));
await cp("src", "dist", { recursive: true, filter: wanted });
