/** The shell scripts that the runner sends to the resident shell. */
import { quote } from "../../shell-words.js";

/**
 * What makes a shell drop the rest of a command when the driver sends it SIGUSR2. bash ends only
 * if something else would run after the killed child; dash and busybox leave `command eval`
 * through an error, with their state kept in every case.
 */
const ABORT_TRAP = `if [ "$BASH_VERSION" ]; then
trap 'trap '\\''case $BASH_COMMAND in "command printf"*) trap - DEBUG ;; *) exit 124 ;; esac'\\'' DEBUG' USR2
else
trap '{ : "\${term_run_timeout?}"; } 2>/dev/null' USR2
fi`;

/** Longer scripts are copied as one block instead of line by line. */
const LONG_SCRIPT_BYTES = 4096;

function mark(token: string, kind: string, format: string, values: string): string {
  return `{ command printf '\\000\\036${token} ${kind} ${format}\\000' ${values}; } 2>/dev/null`;
}

/**
 * Sets up a fresh shell in a directory; it answers with its pid. The first line makes the
 * keeper start one.
 */
export function startScript(token: string, cwd: string): string {
  return [
    `: ${token}`,
    `cd ${quote(cwd)} 2>/dev/null || cd /`,
    ABORT_TRAP,
    mark(token, "s", "%s %s", '"$$" "$PWD"'),
    "",
  ].join("\n");
}

/** Answers as soon as the shell is back at its own input. */
export function pingScript(token: string, id: number): string {
  return `${mark(token, "p", `${id}`, "")}\n`;
}

/**
 * Evaluates a command in the shell itself. The redirections are undone when `eval` returns, so
 * even `exec >file` in a command can't take the driver's own output away. The marks are on
 * the line of `eval`: after a syntax error bash misreads a `{` that comes next.
 */
export function commandScript(
  token: string,
  id: number,
  command: string,
  lastExitCode: number,
): string {
  const begun = mark(token, "b", `${id}`, "");
  const done = mark(token, "d", `${id} %s %s %s`, `"$?" "\${!-}" "$PWD"`);
  const restore = lastExitCode !== 0 && command.includes("$?") ? `(exit ${lastExitCode}); ` : "";
  return `${begun}; ${restore}${evaluate(command)}; ${done}\n:\n`;
}

/**
 * bash 5.2 writes outside its memory after an unclosed `$(` or `<(`, and aborts some commands
 * later. So what has one is first read as a function's body by a subshell, which runs nothing of
 * it; only what can be read is let into the shell itself.
 */
function evaluate(command: string): string {
  const whole = `command eval ${quote(command)} </dev/null >&2 2>&1`;
  if (!/[$<>]\(/.test(command)) return whole;
  const body = quote(`term_run_body() {\n:\n${command}\n}`);
  const readable = `(command eval ${body}) </dev/null >/dev/null 2>&1`;
  return `if ${readable}; then ${whole}; else (${whole}); fi`;
}

/** A script with the line that announces it to the driver. */
export function framed(script: string): string {
  const bytes = Buffer.byteLength(script);
  const lines = script.split("\n").length - 1;
  return (bytes > LONG_SCRIPT_BYTES ? `B ${bytes}\n` : `L ${lines}\n`) + script;
}
