import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** How long one step of an installation may take. */
const installMilliseconds = 180_000;
const run = promisify(execFile);

/** Whether the program is there and ends well. */
export const doesRun = (program: string, args: readonly string[]): Promise<boolean> =>
  run(program, [...args]).then(
    () => true,
    () => false,
  );

/** By the package manager of Debian and its kin, where root runs this; whoever needs them looks whether they are there. */
export const installPackages = async (...names: string[]): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: installMilliseconds };
  await run("apt-get", ["update"], options).catch(() => {});
  await run("apt-get", ["install", "-y", "--no-install-recommends", ...names], options).catch(() => {});
};
