import { describe, expect, it } from "vitest";
import { brokenAgent, check, checkCommand, pointOf, pointsWith } from "./check.js";

/** Each breaks one rule; what fails is that rule, and what follows from it. */
const BROKEN = [
  { agent: "reads-to-eof.py", failed: ["answers_step_1", "reads_lines"] },
  { agent: "never-flushes.py", failed: ["answers_step_1", "flushes"] },
  { agent: "no-newline.py", failed: ["answers_step_1", "one_object_a_line"] },
  { agent: "prints-banner.py", failed: ["only_protocol"] },
  { agent: "crashes-on-null.py", failed: ["answers_step_1", "null_fields"] },
  { agent: "wrong-type.py", failed: ["answers_step_1", "valid_answers"] },
  { agent: "ignores-error.py", failed: ["second_chance"] },
  { agent: "skips-error.py", failed: ["second_chance"] },
  { agent: "leaves-child.py", failed: ["no_children"] },
  { agent: "leaves-hidden-child.py", failed: ["no_children"] },
  { agent: "never-ends.py", failed: ["stops_after_completion", "ends_on_eof"] },
  { agent: "two-answers.py", failed: ["one_answer"] },
  { agent: "answers-early.py", failed: ["waits_to_be_asked"] },
  { agent: "goes-on-after-completion.py", failed: ["stops_after_completion"] },
  { agent: "splits-at-2028.py", failed: ["unicode"] },
  { agent: "breaks-on-size.py", failed: ["big_output"] },
  { agent: "dies-of-failure.sh", failed: ["exit_codes"] },
  { agent: "talks-only.py", failed: ["answers_step_1", "only_protocol", "valid_answers"] },
  { agent: "never-closes.py", failed: ["answers_step_1", "valid_answers"] },
  { agent: "crowds-a-line.py", failed: ["one_object_a_line", "one_answer"] },
  { agent: "last-newline-missing.py", failed: ["one_object_a_line"] },
];

describe.concurrent("a broken agent is found", () => {
  it.each(BROKEN)("$agent", async ({ agent, failed }) => {
    const report = await check(brokenAgent(agent));
    expect(pointsWith(report, "failed")).toEqual(failed);
    expect(pointsWith(report, "warning")).toEqual([]);
    expect(report.ok).toBe(false);
    for (const id of failed) {
      const { seen, reason, fix } = pointOf(report, id);
      expect([seen, reason, fix]).toEqual(Array(3).fill(expect.stringMatching(/\w/)));
    }
  });

  it("pretty-prints.mjs: a warning, as the runner understands it", async () => {
    const report = await check(brokenAgent("pretty-prints.mjs"));
    expect(pointsWith(report, "warning")).toEqual(["one_object_a_line"]);
    expect(report).toMatchObject({ ok: true, totals: { failed: 0, not_seen: 0 } });
  });

  it("wrong-fields.py: a warning, as unknown fields are allowed", async () => {
    const report = await check(brokenAgent("wrong-fields.py"));
    expect(pointsWith(report, "warning")).toEqual(["valid_answers"]);
    expect(pointOf(report, "valid_answers").fix).toContain("`command`");
  });
});

describe("what is said", () => {
  it("quotes the noise", async () => {
    const { seen } = pointOf(await check(brokenAgent("prints-banner.py")), "only_protocol");
    expect(seen).toContain("MyAgent v1.2 is loading its model");
  });

  it("says that noise was taken for an answer, where no answer follows", async () => {
    const report = await check(brokenAgent("talks-only.py"));
    const problem = "what the agent printed is not a JSON object";
    expect(pointOf(report, "answers_step_1").seen).toBe(`the answer is invalid: ${problem}`);
    expect(pointOf(report, "only_protocol").seen).toContain("Let me think about step 1");
  });

  it("names the process that is left behind", async () => {
    const { seen } = pointOf(await check(brokenAgent("leaves-child.py")), "no_children");
    expect(seen).toContain("sleep 600");
  });

  it("quotes the last line of stderr, and names what was withheld", async () => {
    const agent = `sh -c 'echo "no key" >&2; exit 4'`;
    process.env.CHECK_AGENT_TEST_TOKEN = "not-for-agents";
    try {
      const point = pointOf(await check(agent), "answers_step_1");
      expect(point.seen).toBe("it exited with code 4; the last line of its stderr: no key");
      expect(point.fix).toContain("CHECK_AGENT_TEST_TOKEN");
    } finally {
      delete process.env.CHECK_AGENT_TEST_TOKEN;
    }
  });

  it("quotes the error of a Node program, which ends with its version", async () => {
    const agent = `${process.execPath} -e 'throw new TypeError("no key")'`;
    const { seen } = pointOf(await check(agent), "answers_step_1");
    expect(seen).toBe("it exited with code 1; the last line of its stderr: TypeError: no key");
  });

  it("an agent that can't be started at all is an error, not a finding", async () => {
    const command = { name: "broken", command: brokenAgent("wrong-type.py"), args: [], cwd: "." };
    await expect(checkCommand(command)).rejects.toMatchObject({
      code: "agent_unusable",
      message: expect.stringMatching(/^the agent can't be started: .*EACCES/),
      hint: expect.any(String),
    });
  });

  it("an agent that does nothing at all: the time is up", async () => {
    const point = pointOf(await check("sleep 600", { timeoutSec: 1 }), "answers_step_1");
    expect(point.status).toBe("failed");
    expect(point.seen).toContain("no answer within 1 s");
  });
});
