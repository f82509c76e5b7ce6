// An agent on term-sdk, which reads, parses, answers and flushes. It solves tasks/hello-world.
import { type Request, Response, run } from "term-sdk";

const write = "echo 'Hello, world!' > hello.txt";
const check = "cat hello.txt";

// The process lives from the first step to the last, so what is kept here is the agent's memory.
let tries = 0;

await run({
  async setup() {
    console.error("[agent] called once, before the first request: connect to a model here");
  },

  async solve(request: Request) {
    if (request.ok && request.lastCommand === check && request.has("Hello, world!")) {
      return Response.done("hello.txt is right");
    }
    if (request.ok && request.lastCommand !== check) return Response.cmd(check, "Is it there?");
    if (tries === 3) return Response.done("Giving up: hello.txt can't be written");
    tries += 1;
    return request.failed
      ? Response.cmd(`rm -rf hello.txt; ${write}`, "That failed; clear the way and try again")
      : Response.cmd(write, "Write the file");
  },

  async cleanup() {
    console.error(`[agent] called once, at the end: writing took ${tries} attempt(s)`);
  },
});
