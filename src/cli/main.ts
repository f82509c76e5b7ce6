#!/usr/bin/env node
import { printError } from "./print-error.js";
import { createProgram } from "./program.js";

// Don't crash when the reader exits early (`| head`).
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

try {
  process.exitCode = await createProgram().run(process.argv);
} catch (error) {
  process.exitCode = printError(error);
}
