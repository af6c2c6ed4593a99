import { StartError } from "../supervisor/steps.ts";
import { doesRun, installPackages } from "./install-packages.ts";

const packages = ["python3-authlib", "python3-requests"];

/** Prefers the system's Python, because only the system's Python finds the system's packages. */
const findInstalled = async (): Promise<string | null> => {
  for (const python of ["/usr/bin/python3", "python3"]) {
    if (await doesRun(python, ["-c", "import authlib, requests"])) return python;
  }
  return null;
};

/**
 * Finds a Python with Authlib, and installs the packages if this process may.
 * @throws StartError that says what to install
 */
export const findAuthlib = async (): Promise<string> => {
  const present = await findInstalled();
  if (present) return present;
  await installPackages(...packages);
  const installed = await findInstalled();
  if (installed) return installed;
  throw new StartError(
    `The tests with Authlib need Python with Authlib and Requests, which were not found and could not be installed.\nInstall them (Debian, Ubuntu: \`apt-get install ${packages.join(" ")}\`).`,
  );
};
