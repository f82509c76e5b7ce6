import { relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { scaffold } from "../init/index.js";

const LANGUAGES = ["python", "ts", "js", "rust", "bash"] as const;
type Language = (typeof LANGUAGES)[number];

/** What has to be done before the agent can run. */
const FIRST: Partial<Record<Language, string>> = {
  ts: "npm install",
  rust: "./agent < /dev/null",
};
const TEST: Record<Language, string> = {
  python: "python3 -m unittest",
  ts: "npm test",
  js: "node --test",
  rust: "cargo test",
  bash: "bash test.sh",
};

/** `term-run init KIND NAME`: a folder to start from, one subcommand per kind. */
export function addInitCommand(program: Command): void {
  const init = program.command("init").description("create a folder to start from");
  addInitAgent(init);
  addInitTask(init);
}

function addInitAgent(init: Command): void {
  init
    .command("agent")
    .description("a new agent that runs as it is, with a test and a GitHub workflow")
    .argument("<name>", "name of the agent and its folder")
    .addOption(
      new Option("-l, --lang <language>", "what it is written in")
        .choices(LANGUAGES)
        .default("python"),
    )
    .option("-o, --out <folder>", "where to create the new folder", ".")
    .action(async (name: string, { lang, out }: { lang: Language; out: string }) => {
      const { dir, files } = await scaffold({
        template: `agent-${lang}`,
        name,
        parent: resolve(out),
      });
      const path = shortPath(dir);
      const next = [`cd ${path}`, FIRST[lang], TEST[lang], "term-run check-agent ."];
      printCreated(path, files, next);
    });
}

function addInitTask(init: Command): void {
  init
    .command("task")
    .description("a new task that works as it is, for you to change")
    .argument("<name>", "name of the task and its folder")
    .option("-o, --out <folder>", "where to create the new folder", ".")
    .option("--docker", "with a Dockerfile, for a task that needs an image of its own", false)
    .action(async (name: string, { out, docker }: { out: string; docker: boolean }) => {
      const { dir, files } = await scaffold({
        template: "task",
        extra: docker ? "task-docker" : undefined,
        name,
        parent: resolve(out),
      });
      const path = shortPath(dir);
      printCreated(path, files, [`term-run check ${path}`, `term-run try ${path}`]);
    });
}

function shortPath(dir: string): string {
  const near = relative(process.cwd(), dir);
  return near.startsWith("..") ? dir : near;
}

function printCreated(path: string, files: string[], next: (string | undefined)[]): void {
  process.stdout.write(
    [
      `created ${path}`,
      ...files.map((file) => `  ${file}`),
      "",
      "next:",
      ...next.flatMap((line) => (line === undefined ? [] : [`  ${line}`])),
      "",
    ].join("\n"),
  );
}
