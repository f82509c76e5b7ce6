import type { ErrorRecord, Story, StoryPart } from "../../events/index.js";
import { namePart } from "./parts.js";
import { cutMiddle, lastLines, plainText } from "./text.js";

interface TextLimits {
  /** Of what the verifier printed. */
  lines: number;
  /** Characters of each text; what the verifiers of several parts printed shares it. */
  length: number;
}

/** A trial's error and what to do about it. */
export function explainError(error: ErrorRecord | null, { length }: TextLimits): string[] {
  if (!error) return [];
  const texts = error.hint ? [error.message, error.hint] : [error.message];
  return texts.map((text) => cutMiddle(plainText(text), length));
}

/** The end of what the verifiers printed, of each part that did not pass. */
export function explainVerdict({ parts }: Story, limits: TextLimits): string[] {
  const failed = parts.filter(({ verifier }) => verifier && verifier.reward !== 1);
  const share = { ...limits, length: Math.floor(limits.length / Math.max(1, failed.length)) };
  return failed.flatMap((part) => describeVerifier(part, share));
}

function describeVerifier(part: StoryPart, { lines, length }: TextLimits): string[] {
  const { output = "", error = null } = part.verifier ?? {};
  const name = namePart(part);
  const described = [
    ...(error === null ? [] : [cutMiddle(plainText(error), length)]),
    ...(output.trim() === ""
      ? []
      : ["the verifier's last lines:", lastLines(plainText(output), lines, length)]),
  ];
  return name === null || described.length === 0 ? described : [plainText(name), ...described];
}
