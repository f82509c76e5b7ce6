import { TermRunError } from "../errors.js";
import { DOCUMENT_NAMES } from "./documents/kinds.js";

const NAMES = ["console", "json", ...DOCUMENT_NAMES, "github"];
const WITHOUT_FILE = ["console", "github"];

export interface ReporterChoice {
  name: string;
  /** null: its usual place. */
  path: string | null;
}

/** `junit,html=out/page.html`, each list after the other. */
export function parseReporters(lists: readonly string[]): ReporterChoice[] {
  const words = lists.flatMap((list) => list.split(",")).map((word) => word.trim());
  return words.filter((word) => word !== "").map(parseReporter);
}

function parseReporter(word: string): ReporterChoice {
  const at = word.indexOf("=");
  const name = at === -1 ? word : word.slice(0, at);
  const path = at === -1 ? null : word.slice(at + 1);
  if (!NAMES.includes(name))
    throw new TermRunError("usage", `there is no reporter ${name}`, {
      hint: `The reporters are: ${NAMES.join(", ")}.`,
    });
  if (path !== null && WITHOUT_FILE.includes(name))
    throw new TermRunError("usage", `--reporter ${word}: ${name} doesn't write a file`, {
      hint: `These do: json, ${DOCUMENT_NAMES.join(", ")}.`,
    });
  if (path === "")
    throw new TermRunError("usage", `--reporter ${word}: the path is empty`, {
      hint: `Write ${name}=path, or only ${name}.`,
    });
  return { name, path };
}
