import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makePrivate } from "./private-directory.ts";

let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "paygrant-private-"));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const modeOf = async (name: string): Promise<string> => ((await stat(name)).mode & 0o7777).toString(8);

describe("the service's files are readable only by its own user", () => {
  test("a new directory is 0700", async () => {
    const directory = path.join(scratch, "new", "data");
    await makePrivate(directory);
    expect(await modeOf(directory)).toBe("700");
  });

  test("makes files private that an earlier version left readable by other users", async () => {
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

  test("leaves a shared directory unchanged", async () => {
    const shared = path.join(scratch, "shared");
    await mkdir(shared);
    await chmod(shared, 0o1777);
    await makePrivate(shared);
    expect(await modeOf(shared)).toBe("1777");
  });

  test("keeps the owner's right to execute a file", async () => {
    const program = path.join(scratch, "program");
    await writeFile(program, "");
    await chmod(program, 0o755);
    await makePrivate(scratch);
    expect(await modeOf(program)).toBe("700");
  });

  test.runIf(process.getuid?.() === 0)("leaves files of another user unchanged", async () => {
    const volume = path.join(scratch, "volume");
    await mkdir(path.join(volume, "lost+found"), { recursive: true });
    await mkdir(path.join(volume, "sandbox"));
    for (const name of [scratch, volume]) await chmod(name, 0o777);
    await chmod(path.join(volume, "lost+found"), 0o700);
    await chown(path.join(volume, "sandbox"), 65_534, 65_534);
    // The script runs as an unprivileged user, who owns only `sandbox`.
    const script = `import { makePrivate } from ${JSON.stringify(path.join(import.meta.dirname, "private-directory.ts"))};
      process.setgroups([]); process.setgid(65534); process.setuid(65534); await makePrivate(${JSON.stringify(volume)});`;
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
    expect(await modeOf(volume)).toBe("777");
    expect(await modeOf(path.join(volume, "sandbox"))).toBe("700");
  });
});
