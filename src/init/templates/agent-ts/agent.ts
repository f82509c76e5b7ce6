// __NAME__: what term-run starts. The SDK reads, parses, answers and flushes.
import { run } from "term-sdk";
import { solve } from "./solve.ts";

await run(solve);
