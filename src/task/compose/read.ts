import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../../errors.js";
import type { ComposeFile } from "../../interfaces/index.js";
import { Fields, type Table } from "../fields.js";
import { readText, unreadable } from "../text.js";
import { readEnvFile } from "./env-file.js";
import { applyExtends } from "./extends.js";
import { loadCompose } from "./load.js";
import type { ComposeProject } from "./project.js";
import { readResources } from "./resources.js";
import { refuseForSandbox } from "./sandbox.js";
import { selectServices } from "./select.js";
import { readService } from "./service.js";

const REFUSED_SECTIONS = {
  include: "is not supported: put the services into this file, or use extends",
  models: "is not supported",
};

/**
 * Reads a task's compose file, by the rules of Compose. A file that is wrong is an error; what is
 * right and can't be honoured is listed in `refused`.
 */
export function readCompose(compose: ComposeFile): ComposeProject {
  const file = resolve(compose.file);
  const dir = dirname(file);
  const refused: string[] = [];
  const variables = { ...dotEnv(dir), ...process.env, ...compose.variables };
  const document = loadCompose(file, variables, refused);
  const root = Fields.of(document);
  const given = root.table("services").all();
  for (const [name, service] of Object.entries(given))
    if (service !== null && (typeof service !== "object" || Array.isArray(service)))
      throw root.wrong(["services", name], "a table", service);
  const present = Object.fromEntries(
    Object.entries(given).filter(([, service]) => service !== null),
  );
  const services = applyExtends(present, { file, variables, refused });
  const extending = Object.keys(present).find((name) => (present[name] as Table).extends);
  if (extending !== undefined && /!(reset|override)\b/.test(readText(file)))
    refused.push(
      root.warning(
        ["services", extending, "extends"],
        "is not supported with !reset and !override",
      ),
    );
  // Without its variables nothing more can be said of it.
  if (refused.length > 0) return { main: null, others: [], networks: [], volumes: {}, refused };
  const whole = Fields.of({ ...document, value: { ...(document.value as Table), services: {} } });
  whole.ignore("version", "name", "services");
  for (const [key, why] of Object.entries(REFUSED_SECTIONS))
    if (whole.has(key)) refused.push(whole.warning(key, why));
  const resources = readResources(whole, dir, refused);
  refused.push(...whole.unknown());
  const table = Fields.of({ ...document, value: { services } }).table("services");
  const all = Object.keys(services).map((name) =>
    readService(name, table.table(name), { dir, variables, ...resources }),
  );
  const chosen = selectServices(all, compose.service, variables, (path, text) =>
    table.problem(path, text),
  );
  const { main, others } = chosen;
  refused.push(...chosen.refused);
  if (main) refuseForSandbox(main, others, refused, basename(file));
  const { networks, volumes } = resources;
  return { main, others, networks, volumes, refused: [...new Set(refused)] };
}

/** The file `.env` beside it, which gives variables that aren't set otherwise. */
function dotEnv(dir: string): Record<string, string> {
  const file = join(dir, ".env");
  if (!existsSync(file)) return {};
  try {
    return readEnvFile(readText(file), process.env);
  } catch (error) {
    throw unreadable(`${dir}/${basename(file)}: ${messageOf(error)}`);
  }
}
