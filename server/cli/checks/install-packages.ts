import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Maximum duration of one step of an installation. */
const installMilliseconds = 180_000;
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
