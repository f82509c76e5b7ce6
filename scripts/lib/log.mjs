const start = performance.now();

/** Prints one line with the time since the script started. @param {string} text */
export function say(text) {
  console.log(`[${seconds(start).padStart(6)} s] ${text}`);
}

/**
 * Does some work; prints a line before it, and how long it took after it.
 * @template T
 * @param {string} text
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function timed(text, work) {
  const began = performance.now();
  say(`${text} ...`);
  const result = await work();
  say(`${text}: done in ${seconds(began)} s`);
  return result;
}

/** A block that can't be missed among test output. @param {string[]} lines */
export function notice(lines) {
  const bar = "!".repeat(78);
  console.error(["", bar, ...lines.map((line) => `!! ${line}`), bar, ""].join("\n"));
}

/** The end of a long output. @param {string | undefined} text */
export function lastLines(text, count = 20) {
  return (text ?? "").trimEnd().split("\n").slice(-count).join("\n");
}

/** @param {number} since */
function seconds(since) {
  return ((performance.now() - since) / 1000).toFixed(1);
}
