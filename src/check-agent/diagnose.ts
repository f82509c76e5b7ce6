import { ObservedAgent } from "./observed-agent.js";
import { CWD, NOTHING, pretend } from "./terminal.js";
import type { Evidence, SessionRecord, Setup } from "./types.js";

type Findings = Pick<Evidence, "spilled" | "answersWithoutNulls">;

/** Enough to make any usual buffer overflow. */
const FLOOD = 300;

/** Why did step 1 get no answer? Runs experiments that tell the usual reasons apart. */
export async function diagnose(plain: SessionRecord, setup: Setup): Promise<Findings> {
  const answer = plain.exchanges[0]?.answer.kind;
  const answeredAtEnd = plain.late.length > 0 && !plain.formatProblems.unterminated;
  return {
    spilled: answer === "silent" && answeredAtEnd ? await writesWhenFlooded(setup) : null,
    answersWithoutNulls: answer === "exited" ? await answersWithoutNulls(setup) : null,
  };
}

/** A full buffer is written even without a flush; an agent that reads stdin to its end writes nothing. */
async function writesWhenFlooded(setup: Setup): Promise<boolean> {
  const agent = new ObservedAgent(setup);
  try {
    for (let step = 1; step <= FLOOD; step++) {
      const shown = step === 1 ? NOTHING : pretend("true");
      agent.send({ instruction: setup.instruction, step, ...shown, cwd: CWD });
    }
    return await agent.writes(setup.timeoutMs);
  } finally {
    await agent.end();
  }
}

async function answersWithoutNulls(setup: Setup): Promise<boolean> {
  const agent = new ObservedAgent(setup);
  try {
    agent.send({ instruction: setup.instruction, step: 1, ...pretend("true"), cwd: CWD });
    return (await agent.answer(setup.timeoutMs)).kind === "response";
  } finally {
    await agent.end();
  }
}
