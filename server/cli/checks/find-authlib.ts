import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { StartError } from "../supervisor/steps.ts";

/** How long one step of an installation may take. */
const timeout = 180_000;
const run = promisify(execFile);

const packages = ["python3-authlib", "python3-requests"];

/** The system's own Python first: packages of the system are for it alone. */
const findInstalled = async (): Promise<string | null> => {
  for (const python of ["/usr/bin/python3", "python3"]) {
    const has = await run(python, ["-c", "import authlib, requests"]).then(
      () => true,
      () => false,
    );
    if (has) return python;
  }
  return null;
};

/** @returns a Python that has Authlib, installing the package where root may. @throws StartError that says what to install. */
export const findAuthlib = async (): Promise<string> => {
  const present = await findInstalled();
  if (present) return present;
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update"], { env, timeout }).catch(() => {});
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env, timeout }).catch(() => {});
  }
  const installed = await findInstalled();
  if (installed) return installed;
  throw new StartError(
    `The tests with Authlib need Python with Authlib and Requests, and they could not be installed.\nInstall them (Debian, Ubuntu: \`apt-get install ${packages.join(" ")}\`).`,
  );
};
