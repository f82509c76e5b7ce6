import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Emit, Redactor } from "../events/index.js";
import type { DownloadLimits, Sandbox } from "../interfaces/index.js";
import { describeLoss } from "./loss.js";
import { MAX_REWARD_BYTES, REWARD_FILES, type RewardFiles } from "./reward.js";

interface CopyOptions {
  sandbox: Sandbox;
  /** Host folder that gets the copy. */
  logsDir: string;
  downloadLimits: DownloadLimits;
  redactor: Redactor;
  emit: Emit;
}

const SOURCE = "/logs/verifier";

/**
 * Copies what the tests left to the host, as far as the limits allow. The reward files are read as
 * they are, before anything in them is redacted, and whatever lies beside them.
 */
export async function copyLogs(
  options: CopyOptions,
): Promise<{ rewards: RewardFiles; problem: string | null }> {
  const { sandbox, logsDir, downloadLimits: limits, redactor, emit } = options;
  await mkdir(logsDir, { recursive: true });
  const peek = REWARD_FILES;
  const all = await sandbox.download(SOURCE, logsDir, { limits, redactor, peek });
  const note = describeLoss(SOURCE, all);
  if (note) emit({ type: "note", text: note });
  const rewards: RewardFiles = {};
  for (const name of REWARD_FILES) {
    const content = all.contents.get(name);
    if (content) rewards[name] = content;
    else if (existsSync(join(logsDir, name))) rewards[name] = "too large";
    else if (note) Object.assign(rewards, await fetchOne(options, name));
  }
  return { rewards, problem: all.problem };
}

/** A reward file that the copy of everything lacks. */
async function fetchOne(
  { sandbox, logsDir, downloadLimits, redactor }: CopyOptions,
  name: (typeof REWARD_FILES)[number],
): Promise<RewardFiles> {
  const limits = { ...downloadLimits, bytes: MAX_REWARD_BYTES, fileBytes: MAX_REWARD_BYTES };
  const options = { limits, redactor, as: name, peek: [""] };
  const one = await sandbox.download(`${SOURCE}/${name}`, logsDir, options);
  const content = one.contents.get("") ?? (one.leftOutCount > 0 ? "too large" : null);
  return content === null ? {} : { [name]: content };
}
