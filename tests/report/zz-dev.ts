import { makeTrials } from "./big-run.js";
import { writeRun } from "./zz-stored.js";

const [dir, t, a, s] = process.argv.slice(2);
writeRun(dir as string, makeTrials(Number(t), Number(a), Number(s)), {
  run: "2030-01-01T00-00-00-my-agent",
});
