import { type Request, Response } from "term-sdk";

const WRITE = "echo 'Hello, world!' > hello.txt";
const CHECK = "cat hello.txt";
const MAX_STEPS = 10;

/** Decides what to do next. This is the part to improve: ask a model here. */
export async function solve(request: Request): Promise<Response> {
  if (request.first) return Response.cmd(WRITE, "Write the file");
  if (request.ok && request.output === "Hello, world!") return Response.done("hello.txt is right");
  if (request.step >= MAX_STEPS) return Response.done("Giving up");
  if (request.ok && request.lastCommand !== CHECK) return Response.cmd(CHECK, "Is it there?");
  // stdout is for answers; the SDK sends this to stderr.
  console.log("[__NAME__] that did not work:", request.output);
  return Response.cmd(`rm -rf hello.txt; ${WRITE}`, "Once more");
}
