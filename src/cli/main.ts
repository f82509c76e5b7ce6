#!/usr/bin/env node
import { handleUncaught } from "../runner/index.js";
import { printError } from "./print-error.js";
import { createProgram } from "./program.js";

// Don't crash when the reader exits early (`| head`).
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// The last resort: an error that nothing caught ends the trial that it comes from, not the others.
process.on("uncaughtException", (error) => {
  if (!handleUncaught(error)) process.exit(printError(error));
});

try {
  process.exitCode = await createProgram().run(process.argv);
} catch (error) {
  process.exitCode = printError(error);
}
