import type { Agent } from "../interfaces/index.js";
import { quote } from "../shell-words.js";

/** What no agent may find. */
const SECRET_PLACES = ["/tests", "/solution"];

/** Looks for the tests and the solution from the agent's place, and does nothing else. */
export const onlooker: Agent = {
  name: "onlooker",
  async start({ sandbox }) {
    const places = SECRET_PLACES.map((place) => quote(sandbox.path(place))).join(" ");
    const command = `for place in ${places}; do for file in "$place"/* "$place"/.[!.]*; do [ ! -e "$file" ] || echo "$file"; done; done`;
    const response = { command, task_complete: true, text: null, data: null, extra: {} };
    return {
      ask: async () => ({ kind: "response", response }),
      close: async () => ({ exitCode: null, signal: null }),
    };
  },
};
