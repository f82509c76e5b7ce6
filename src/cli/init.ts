import { relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { scaffold } from "../init/index.js";

const LANGUAGES = ["python", "ts", "js", "rust", "bash"] as const;
type Language = (typeof LANGUAGES)[number];

/** What is to be done before the agent can run. */
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

/** `term-run init KIND NAME`: a folder to start from, one subcommand a kind. */
export function addInitCommand(program: Command): void {
  const init = program.command("init").description("make a folder to start from");
  addInitAgent(init);
  addInitTask(init);
}

function addInitAgent(init: Command): void {
  init
    .command("agent")
    .description("a new agent that runs at once, with a test and a GitHub workflow")
    .argument("<name>", "of the agent and its folder")
    .addOption(
      new Option("-l, --lang <language>", "what it is written in")
        .choices(LANGUAGES)
        .default("python"),
    )
    .option("-o, --out <folder>", "where the new folder goes", ".")
    .action(async (name: string, { lang, out }: { lang: Language; out: string }) => {
      const { dir, files } = await scaffold({
        template: `agent-${lang}`,
        name,
        parent: resolve(out),
      });
      const place = nearby(dir);
      const next = [`cd ${place}`, FIRST[lang], TEST[lang], "term-run check-agent ."];
      printMade(place, files, next);
    });
}

function addInitTask(init: Command): void {
  init
    .command("task")
    .description("a new task that works at once, to be changed into your own")
    .argument("<name>", "of the task and its folder")
    .option("-o, --out <folder>", "where the new folder goes", ".")
    .option("--docker", "with a Dockerfile, for a task that needs an image of its own", false)
    .action(async (name: string, { out, docker }: { out: string; docker: boolean }) => {
      const { dir, files } = await scaffold({
        template: "task",
        extra: docker ? "task-docker" : undefined,
        name,
        parent: resolve(out),
      });
      const place = nearby(dir);
      printMade(place, files, [`term-run check ${place}`, `term-run try ${place}`]);
    });
}

function nearby(dir: string): string {
  const near = relative(process.cwd(), dir);
  return near.startsWith("..") ? dir : near;
}

function printMade(place: string, files: string[], next: (string | undefined)[]): void {
  process.stdout.write(
    [
      `made ${place}`,
      ...files.map((file) => `  ${file}`),
      "",
      "next:",
      ...next.flatMap((line) => (line === undefined ? [] : [`  ${line}`])),
      "",
    ].join("\n"),
  );
}
