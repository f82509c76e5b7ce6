import type Docker from "dockerode";
import { messageOf, TermRunError } from "../../../errors.js";
import type { Build } from "../../../task/index.js";
import { buildWithBuildKit, NoBuildKitError } from "./buildkit.js";
import { buildClassic } from "./classic.js";
import { type BuildInput, readInput } from "./context.js";
import { readDirective, readInstructions, withoutDirective } from "./dockerfile.js";
import { type Builder, explainFeature, findFeature } from "./explain.js";
import { withoutHeredocs } from "./heredocs.js";
import { EngineFailure, type Following } from "./progress.js";

/** What the engine's own frontend can stand in for. */
const OFFICIAL_FRONTEND = /^(docker\.io\/)?docker\/dockerfile(-upstream)?([:@]|$)/;

/** Builds with BuildKit where the engine has it, and with its classic builder otherwise. */
export async function buildImage(
  docker: Docker,
  image: string,
  build: Build,
  following: Following,
): Promise<void> {
  const input = await readInput(build);
  const { note } = following;
  const modern = (said: BuildInput) => buildWithBuildKit(docker, image, said, following);
  const classic = (said: BuildInput) => buildClassic(docker, image, said, following);
  let builder: Builder = "buildkit";
  try {
    await withBuiltInFrontend(input, note, (said) => withoutNewSyntax(said, note, modern)).catch(
      (error) => {
        if (!(error instanceof NoBuildKitError)) throw error;
        builder = "classic";
        note(`${error.message}: its classic builder is used`);
        return withoutNewSyntax(input, note, classic);
      },
    );
  } catch (error) {
    const found = explainFeature(messageOf(error), input.dockerfile, builder);
    if (!found) throw error;
    throw new TermRunError("infra", found.why, { hint: found.hint, cause: error });
  }
}

type Note = Following["note"];
type Start = (input: BuildInput) => Promise<void>;

/** Does without the image that a `# syntax` line names, if that can't be had. */
async function withBuiltInFrontend(input: BuildInput, note: Note, start: Start): Promise<void> {
  try {
    await start(input);
  } catch (error) {
    const syntax = readDirective(input.dockerfile, "syntax") ?? "";
    const isMissing = error instanceof EngineFailure && error.inFrontend;
    if (!isMissing || !OFFICIAL_FRONTEND.test(syntax)) throw error;
    note(`${syntax} can't be pulled, the engine's own frontend is used: ${error.message}`);
    await start({ ...input, dockerfile: withoutDirective(input.dockerfile, "syntax") });
  }
}

/** Does without here-documents, if the builder doesn't know them. */
async function withoutNewSyntax(input: BuildInput, note: Note, start: Start): Promise<void> {
  try {
    await start(input);
  } catch (error) {
    const isUnknown = /parse error|unknown instruction/i.test(messageOf(error));
    const hasHeredocs = readInstructions(input.dockerfile).some(
      ({ heredocs }) => heredocs.length > 0,
    );
    const said = isUnknown && hasHeredocs && withoutHeredocs(input);
    if (!said) throw error;
    note("the engine's builder doesn't know here-documents: they are translated");
    await start(said).catch((later) => {
      const message = messageOf(later);
      const isOurs =
        findFeature(message, said.dockerfile) && !findFeature(message, input.dockerfile);
      throw isOurs ? error : later;
    });
  }
}
