import { describe, expect, it } from "vitest";
import { checkGitUrl } from "../../../src/task/git/url.js";

describe("checkGitUrl", () => {
  it.each([
    "https://github.com/org/repo.git",
    "ssh://git@github.com/org/repo.git",
    "git@github.com:org/repo.git",
  ])("takes %s", (url) => {
    expect(checkGitUrl(url, null)).toEqual({ url });
  });

  it("takes folders of this machine from those who are on it", () => {
    expect(checkGitUrl("file:///tmp", "/")).toEqual({ url: "file:///tmp" });
    expect(checkGitUrl("/tmp", "/")).toEqual({ url: "file:///tmp" });
    expect(checkGitUrl("../tmp", "/usr")).toEqual({ url: "file:///tmp" });
    for (const url of ["file:///tmp", "/tmp", "../tmp", "."])
      expect(checkGitUrl(url, null)).toEqual({
        problem: "is on this machine, and the registry that names it isn't",
      });
  });

  it.each([
    "--upload-pack=touch /tmp/x",
    "-u",
    "ext::sh -c id",
    "ext::id",
    "fd::17",
    "http://github.com/org/repo.git",
    "git://github.com/org/repo.git",
    "ftp://host/repo",
    "ssh://-oProxyCommand=id/repo",
    "ssh://-oProxyCommand=id@host/repo",
    "git@-oProxyCommand=id:repo",
    "-oProxyCommand=id@host:repo",
    "https://",
    "file://elsewhere/repo",
    "https://github.com/a b",
    "https://github.com/a\nb",
    "https://token@github.com/org/repo.git",
    "https://user:token@github.com/org/repo.git",
    "ssh://git:token@github.com/org/repo.git",
  ])("refuses %j", (url) => {
    const checked = checkGitUrl(url, "/");
    expect(checked).toHaveProperty("problem");
    expect(JSON.stringify(checked)).not.toContain("token");
  });
});
