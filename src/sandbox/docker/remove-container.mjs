// Removes a container whose runner is gone. Its creation may still be under way, so a container
// that isn't there is looked for again, for a moment.
import Docker from "dockerode";

const ROUNDS = 10;
const PAUSE_MS = 300;

const container = new Docker(JSON.parse(process.argv[3] ?? "null") ?? undefined).getContainer(
  process.argv[2] ?? "",
);
for (let round = 0; round < ROUNDS; round++) {
  const status = await container.remove({ force: true, v: true }).then(
    () => 204,
    (error) => error.statusCode,
  );
  // Once it was there and is gone, nothing can bring it back.
  if (status === 204 || (status === 404 && round > 2)) break;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
