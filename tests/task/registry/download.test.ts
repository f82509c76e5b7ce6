import { describe, expect, it } from "vitest";
import { download, isSafeUrl } from "../../../src/task/registry/download.js";
import { makeCachedPlace } from "../cache.js";
import { serve } from "./server.js";

function makeReport() {
  const warnings: string[] = [];
  return { warnings, progress: () => {}, warning: (text: string) => warnings.push(text) };
}

describe("a registry at a URL", () => {
  it("is sent once, and after that only if it changed", async () => {
    makeCachedPlace();
    const report = makeReport();
    let text = "[1]";
    const { url, requests } = await serve((request, response) => {
      const etag = `"${text}"`;
      if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
      response.writeHead(200, { etag }).end(text);
    });
    const get = () => download(new URL(`${url}/registry.json`), report);
    expect([await get(), await get()]).toEqual(["[1]", "[1]"]);
    text = "[2]";
    expect(await get()).toBe("[2]");
    expect(requests.map(({ etag }) => etag)).toEqual([undefined, '"[1]"', '"[1]"']);
    expect(report.warnings).toEqual([]);
  });

  it.each<[string, RegExp]>([
    ["answers 500", /the server answers 500/],
    ["is gone", /ECONNREFUSED/],
  ])("is the copy from before when the server %s", async (what, reason) => {
    makeCachedPlace();
    const report = makeReport();
    let works = true;
    const { url, close } = await serve((_, response) => {
      response.writeHead(works ? 200 : 500).end("[1]");
    });
    const get = () => download(new URL(`${url}/registry.json?token=secret`), report);
    await get();
    works = false;
    if (what === "is gone") await close();
    expect(await get()).toBe("[1]");
    expect(report.warnings).toEqual([expect.stringMatching(reason)]);
    expect(report.warnings[0]).toMatch(/registry\.json can't be read .*: using the copy of \d{4}-/);
    expect(report.warnings[0]).not.toContain("secret");
  });

  it("that can't be read for the first time is an error with what to do", async () => {
    makeCachedPlace();
    const { url } = await serve((_, response) => response.writeHead(404).end());
    await expect(download(new URL(`${url}/registry.json`), makeReport())).rejects.toMatchObject({
      code: "infra",
      message: `${url}/registry.json can't be read: the server answers 404`,
      hint: expect.stringContaining("--registry also takes a file"),
    });
  });

  it("follows redirects, but not to where it could be changed on the way", async () => {
    makeCachedPlace();
    const { url } = await serve((request, response) => {
      if (request.url === "/new.json") return response.end("[1]");
      const location = request.url === "/good.json" ? "/new.json" : "http://registry.invalid/x";
      response.writeHead(302, { location }).end();
    });
    expect(await download(new URL(`${url}/good.json`), makeReport())).toBe("[1]");
    await expect(download(new URL(`${url}/bad.json`), makeReport())).rejects.toThrow(
      "it redirects to http://registry.invalid/x, which isn't https",
    );
  });

  it("redirects in a circle", async () => {
    makeCachedPlace();
    const { url } = await serve((_, response) => response.writeHead(302, { location: "/a" }).end());
    await expect(download(new URL(`${url}/a`), makeReport())).rejects.toThrow("too often");
  });

  it.each([
    ["https://example.com/a", true],
    ["http://127.0.0.1:1/a", true],
    ["http://localhost/a", true],
    ["http://[::1]/a", true],
    ["http://example.com/a", false],
    ["http://127.0.0.1.example.com/a", false],
    ["ftp://localhost/a", false],
  ])("%s: %s", (url, safe) => {
    expect(isSafeUrl(new URL(url))).toBe(safe);
  });
});
