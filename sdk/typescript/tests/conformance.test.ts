import { describe, expect, test } from "vitest";
import { limits, Request, Response } from "../src/index.js";
import { serve } from "../src/serve.js";
import { Session } from "../src/session.js";
import { readLines } from "../src/stdio.js";
import { build, type Call, vectors } from "./vectors.js";

interface RequestVector {
  name: string;
  line: string;
  fill?: { marker: string; unit: string; times: number };
  reads: Record<string, unknown>;
  has?: { patterns: string[]; found: boolean }[];
  match?: { regex: string; groups: (string | null)[] | null }[];
}

describe("requests", () => {
  test.each(vectors<RequestVector>("requests"))("$name", ({ line, fill, reads, has, match }) => {
    const whole = fill ? line.replace(fill.marker, fill.unit.repeat(fill.times)) : line;
    const request = Request.parse(whole);
    const actual: Record<string, unknown> = {
      instruction: request.instruction,
      step: request.step,
      last_command: request.lastCommand,
      output: request.output,
      output_bytes: Buffer.byteLength(request.output ?? ""),
      exit_code: request.exitCode,
      cwd: request.cwd,
      error: request.error,
      first: request.first,
      ok: request.ok,
      failed: request.failed,
    };
    for (const [field, value] of Object.entries(reads)) expect(actual[field], field).toEqual(value);
    for (const { patterns, found } of has ?? []) {
      expect(request.has(...patterns), `has ${patterns}`).toBe(found);
    }
    for (const { regex, groups } of match ?? []) {
      const found = request.match(regex);
      expect(found && Array.from(found, (group) => group ?? null), regex).toEqual(groups);
    }
  });
});

describe("refused", () => {
  test.each(vectors<{ name: string; line: string }>("refused"))("$name", ({ line }) => {
    expect(() => Request.parse(line)).toThrow();
  });
});

describe("responses", () => {
  interface ResponseVector {
    name: string;
    build: Call[];
    fields: Record<string, unknown>;
    line: string;
  }
  test.each(vectors<ResponseVector>("responses"))("$name", ({ build: calls, fields, line }) => {
    expect(build(calls).toLine()).toBe(line);
    expect(Response.from(fields).toLine()).toBe(line);
    expect(Response.from(JSON.parse(line)).toLine()).toBe(line);
  });
});

describe("llm", () => {
  interface ReplyVector {
    name: string;
    reply: string;
    line: string;
  }
  test.each(vectors<ReplyVector>("llm"))("$name", ({ reply, line }) => {
    expect(Response.fromLLM(reply).toLine()).toBe(line);
  });
});

describe("sessions", () => {
  interface SessionVector {
    name: string;
    answers: (Call[] | { throw: string })[];
    input: string[];
    output: string[];
  }
  test.each(vectors<SessionVector>("sessions"))("$name", async ({ answers, input, output }) => {
    const bytes = Buffer.from(input.map((line) => `${line}\n`).join(""));
    const lines = readLines(chunksOf(bytes, 7));
    const sent: string[] = [];
    const session = new Session({
      receive: async () => (await lines.next()).value ?? null,
      send: async (line) => sent.push(line) > 0,
    });
    const remaining = [...answers];
    const solve = () => {
      const answer = remaining.shift();
      if (Array.isArray(answer)) return build(answer);
      throw new Error(answer?.throw ?? "no answer left");
    };
    await serve({ solve }, session);
    expect(sent).toEqual(output);
    expect(remaining).toEqual([]);
  });
});

describe("limits", () => {
  interface LimitsVector {
    name: string;
    env: Record<string, string>;
    reads: Record<string, unknown>;
  }
  test.each(vectors<LimitsVector>("limits"))("$name", ({ env, reads }) => {
    const read = limits(env);
    expect({
      task: read.task,
      attempt: read.attempt,
      max_steps: read.maxSteps,
      agent_timeout_sec: read.agentTimeoutSec,
      step_timeout_sec: read.stepTimeoutSec,
      command_timeout_sec: read.commandTimeoutSec,
    }).toEqual(reads);
  });
});

/** Small pieces, so that characters are split between chunks. */
async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
