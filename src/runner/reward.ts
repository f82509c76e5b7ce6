export type Reward =
  | { ok: true; reward: number; rewards: Record<string, number> }
  | { ok: false; problem: string };

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** In the order in which they count. */
export const REWARD_FILES = ["reward.json", "reward.txt"] as const;
/** Of one of them; no honest one is larger. */
export const MAX_REWARD_BYTES = 1024 * 1024;

/** What the tests wrote, if it isn't too large. */
export type RewardFiles = Partial<Record<(typeof REWARD_FILES)[number], Buffer | "too large">>;

/** The reward in the verifier's files; null when there is none. */
export function readReward(files: RewardFiles): Reward | null {
  for (const name of REWARD_FILES) {
    const content = files[name];
    if (content === undefined) continue;
    if (content === "too large" || content.length > MAX_REWARD_BYTES)
      return bad(`${name} is larger than 1 MiB`);
    const text = content.toString("utf8");
    return name === "reward.json" ? parseRewardJson(text) : parseRewardText(text);
  }
  return null;
}

export function parseRewardText(text: string): Reward {
  const trimmed = text.trim();
  if (trimmed === "") return bad("reward.txt is empty");
  if (!NUMBER.test(trimmed))
    return bad(`reward.txt holds ${shown(trimmed)}, which is not a number`);
  return checked({ reward: Number(trimmed) });
}

/** One number, or an object of numbers: its `reward` if it has one, else the mean. */
export function parseRewardJson(text: string): Reward {
  if (text.trim() === "") return bad("reward.json is empty");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad(`reward.json is not valid JSON: ${shown(text.trim())}`);
  }
  if (typeof value === "number") return checked({ reward: value });
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return bad(`reward.json holds ${shown(text.trim())}, which is not an object of numbers`);
  const entries = Object.entries(value);
  if (entries.length === 0) return bad("reward.json has no entries");
  const numbers = entries.map(([name, part]) => [name, toNumber(part)] as const);
  const wrong = numbers.find(([, part]) => part === null);
  if (wrong) return bad(`reward.json: "${wrong[0]}" is not a number`);
  return checked(Object.fromEntries(numbers) as Record<string, number>);
}

/** As the formats' own runners read it: true is 1, and a number may be written as text. */
function toNumber(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : null;
}

/** Numbers outside 0 to 1 are for the task's author to explain; one without an end is a mistake. */
function checked(rewards: Record<string, number>): Reward {
  for (const [name, value] of Object.entries(rewards))
    if (!Number.isFinite(value)) return bad(`"${name}" is not a finite number`);
  const values = Object.values(rewards);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { ok: true, reward: rewards.reward ?? mean, rewards };
}

function bad(problem: string): Reward {
  return { ok: false, problem };
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
