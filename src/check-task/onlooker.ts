import { createAgent, runCommands } from "../agent/index.js";
import { quote } from "../shell-words.js";

/** What no agent may find. */
const SECRET_PLACES = ["/tests", "/solution"];

/** Looks for the tests and the solution from the agent's place, and does nothing else. */
export const onlooker = createAgent("onlooker", (_instruction, turn, { sandbox }) => {
  const places = SECRET_PLACES.map((place) => quote(sandbox.path(place))).join(" ");
  const command = `for place in ${places}; do for file in "$place"/* "$place"/.[!.]*; do [ ! -e "$file" ] || echo "$file"; done; done`;
  return runCommands([command], turn);
});
