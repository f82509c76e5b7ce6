import { createAgent, runCommands } from "../agent/index.js";
import { quote } from "../shell-words.js";

/** What no agent may find. */
const SECRET_PATHS = ["/tests", "/solution"];

/** Looks for the tests and the solution as an agent could, and does nothing else. */
export const probe = createAgent("probe", (_instruction, turn, { sandbox }) => {
  const paths = SECRET_PATHS.map((path) => quote(sandbox.path(path))).join(" ");
  const command = `for dir in ${paths}; do for file in "$dir"/* "$dir"/.[!.]*; do [ ! -e "$file" ] || echo "$file"; done; done`;
  return runCommands([command], turn);
});
