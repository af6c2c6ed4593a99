import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Maximum duration of one step of an installation. */
const installMilliseconds = 600_000;
const run = promisify(execFile);

/** Whether the program exists and exits with 0. */
export const doesRun = (program: string, args: readonly string[]): Promise<boolean> =>
  run(program, [...args]).then(
    () => true,
    () => false,
  );

/**
 * Installs Debian packages if this process runs as root. Reports no failure: the caller checks whether the program
 * runs.
 */
export const installPackages = async (...names: string[]): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: installMilliseconds };
  await run("apt-get", ["update"], options).catch(() => {});
  await run("apt-get", ["install", "-y", "--no-install-recommends", ...names], options).catch(() => {});
};

/** If this program exits with 101, Debian's packages don't start the services that they contain. */
const servicePolicy = "/usr/sbin/policy-rc.d";

/** Like `installPackages`, for packages whose services must not start. */
export const installWithoutServices = async (...names: string[]): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  // If the machine already has a policy, it is kept.
  const isOwn = await writeFile(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755, flag: "wx" }).then(
    () => true,
    () => false,
  );
  await installPackages(...names);
  if (isOwn) await rm(servicePolicy, { force: true });
};
