import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makePrivate } from "./private-directory.ts";

let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "paygrant-private-"));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const modeOf = async (name: string): Promise<string> => ((await stat(name)).mode & 0o7777).toString(8);

describe("what the service keeps is readable by its own user alone", () => {
  test("a new directory is 0700", async () => {
    const directory = path.join(scratch, "new", "data");
    await makePrivate(directory);
    expect(await modeOf(directory)).toBe("700");
  });

  test("what an earlier version made open to others is closed at the next start", async () => {
    const outside = path.join(scratch, "outside");
    const directory = path.join(scratch, "data");
    await mkdir(path.join(directory, "sandbox/simulator"), { recursive: true });
    await mkdir(path.join(directory, "postgres"));
    for (const name of ["secrets.json", "sandbox/simulator/simulator.sqlite", "sandbox/simulator/simulator.sqlite-wal"])
      await writeFile(path.join(directory, name), "");
    await writeFile(outside, "");
    await symlink(outside, path.join(directory, "link"));
    for (const name of ["", ...(await readdir(directory, { recursive: true }))])
      if (name !== "link") await chmod(path.join(directory, name), name.includes(".") ? 0o644 : 0o755);
    await chmod(outside, 0o644);
    await makePrivate(directory);
    const modes = Object.fromEntries(
      await Promise.all(
        ["", ...(await readdir(directory, { recursive: true }))].map(async (name) => [
          name,
          await modeOf(path.join(directory, name)),
        ]),
      ),
    );
    expect(modes).toEqual({
      "": "700",
      link: "644",
      postgres: "700",
      sandbox: "700",
      "sandbox/simulator": "700",
      "sandbox/simulator/simulator.sqlite": "600",
      "sandbox/simulator/simulator.sqlite-wal": "600",
      "secrets.json": "600",
    });
  });

  test("a directory that everybody shares is left alone", async () => {
    const shared = path.join(scratch, "shared");
    await mkdir(shared);
    await chmod(shared, 0o1777);
    await makePrivate(shared);
    expect(await modeOf(shared)).toBe("1777");
  });
});
