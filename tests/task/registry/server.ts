import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on loopback. */
export async function serve(handler: Handler) {
  const requests: { path: string; etag: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    requests.push({ path: url, etag: headers["if-none-match"] });
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close };
}
