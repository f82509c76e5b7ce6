// Shows that the intervals cover what they claim to and that the tests are what they claim to be:
// simulates agents whose true rates are known. The same numbers every time; `--quick` is for CI.
import { coverIntervals } from "./simulate/coverage.mjs";
import { coverDifferences } from "./simulate/differences.mjs";
import { printTable } from "./simulate/table.mjs";
import { measureTests } from "./simulate/tests.mjs";

const quick = process.argv.includes("--quick");
const began = performance.now();
const tables = [
  ...coverIntervals(quick ? 200 : 2000),
  ...coverDifferences(quick ? 40 : 300),
  ...measureTests(quick ? 100 : 1000),
];
const problems = tables.flatMap(printTable);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`\n${tables.length} tables in ${seconds} s`);
for (const problem of problems) console.error(`outside its limits: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
