import { AgentProcess } from "./agent-process.js";
import type { Stage } from "./play.js";
import { CWD, NOTHING, pretend } from "./terminal.js";
import type { Evidence, SessionRecord } from "./types.js";

type Findings = Pick<Evidence, "spilled" | "answersWithoutNulls">;

/** Enough to make any usual buffer overflow. */
const FLOOD = 300;

/** Why did step 1 get no answer? Tries what would tell the usual reasons apart. */
export async function diagnose(plain: SessionRecord, stage: Stage): Promise<Findings> {
  const answer = plain.turns[0]?.answer.kind;
  const answeredAtEnd = plain.late.length > 0 && !plain.slips.unterminated;
  return {
    spilled: answer === "silent" && answeredAtEnd ? await spills(stage) : null,
    answersWithoutNulls: answer === "exited" ? await answersWithoutNulls(stage) : null,
  };
}

/** A full buffer is written, flushed or not; who reads to the end of stdin writes nothing at all. */
async function spills(stage: Stage): Promise<boolean> {
  const agent = start(stage);
  try {
    for (let step = 1; step <= FLOOD; step++) {
      const shown = step === 1 ? NOTHING : pretend("true");
      agent.send({ instruction: stage.instruction, step, ...shown, cwd: CWD });
    }
    return await agent.spills(stage.timeoutMs);
  } finally {
    await agent.kill();
  }
}

async function answersWithoutNulls(stage: Stage): Promise<boolean> {
  const agent = start(stage);
  try {
    agent.send({ instruction: stage.instruction, step: 1, ...pretend("true"), cwd: CWD });
    return (await agent.answer(stage.timeoutMs)).kind === "response";
  } finally {
    await agent.kill();
  }
}

function start({ command, env, signal }: Stage): AgentProcess {
  return new AgentProcess(command, env, signal);
}
