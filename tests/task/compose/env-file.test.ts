// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are compose files' own
import { describe, expect, it } from "vitest";
import { readEnvFile, readRawEnvFile } from "../../../src/task/compose/env-file.js";
import { useReader } from "./support.js";

const OUTSIDE = { OUT: "side", EMPTY: "" };

describe("an env file", () => {
  it.each([
    ["A=1\nB = 2 \n", { A: "1", B: "2" }],
    ["# remark\n\n  A=1 # more\nB=1#2", { A: "1", B: "1#2" }],
    ["export A=1\nexport\tB=2", { A: "1", B: "2" }],
    ["A: 1", { A: "1" }],
    ["A='$OUT \\n' # x\nB=2", { A: "$OUT \\n", B: "2" }],
    ['A="$OUT\\t\\"q\\" \\$OUT"', { A: 'side\t"q" $OUT' }],
    ['A="one\ntwo"\nB=3', { A: "one\ntwo", B: "3" }],
    ["A=1\nB=${A}-${NONE:-$OUT}", { A: "1", B: "1-side" }],
    ["OUT=own\nA=$OUT", { OUT: "own", A: "side" }],
    ["OUT\nNONE\nEMPTY", { OUT: "side", EMPTY: "" }],
    ["A=\r\nB='x'\r\n", { A: "", B: "x" }],
    ["A.b-c[0]=1", { "A.b-c[0]": "1" }],
    ["", {}],
  ])("%j", (text, expected) => {
    expect(readEnvFile(text, OUTSIDE)).toEqual(expected);
  });

  it.each([
    ["A=1\nnot a name=2", "line 2 is not NAME=value: not a name=2"],
    ["A=1\nB='x", "line 2 has a ' without an end"],
  ])("is wrong: %j", (text, why) => {
    expect(() => readEnvFile(text, {})).toThrow(why);
  });

  it("is taken as it is in the raw format", () => {
    const text = "# remark\nA='$OUT' # x\n\nOUT\nNONE\nB=c=d\n";
    expect(readRawEnvFile(text, OUTSIDE)).toEqual({ A: "'$OUT' # x", OUT: "side", B: "c=d" });
  });
});

describe("env_file", () => {
  const reader = useReader();
  const files = { "a.env": "A=1\nB=a", "b.env": "B=$A", "raw.env": "C='$A'" };

  it.each([
    ["env_file: a.env", { A: "1", B: "a" }],
    ["env_file: [a.env, b.env]", { A: "1", B: "1" }],
    ["env_file: [a.env, {path: gone.env, required: false}]", { A: "1", B: "a" }],
    ["env_file: [{path: raw.env, format: raw}]", { C: "'$A'" }],
    [
      "env_file: a.env, environment: [B=own, TERM_RUN_UNSET]",
      { A: "1", B: "own", TERM_RUN_UNSET: null },
    ],
  ])("%s", (fields, expected) => {
    expect(reader.service(fields, files).environment).toEqual(expected);
  });

  it("names the line of a file that is wrong", () => {
    expect(() => reader.service("env_file: c.env", { "c.env": "A=1\n=2" })).toThrow(
      "services.db.env_file names c.env: line 2 is not NAME=value",
    );
  });
});
