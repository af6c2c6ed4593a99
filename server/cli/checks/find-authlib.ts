import { StartError } from "../supervisor/steps.ts";
import { doesRun, installPackages } from "./install-packages.ts";

const packages = ["python3-authlib", "python3-requests"];

/** The system's own Python first: packages of the system are for it alone. */
const findInstalled = async (): Promise<string | null> => {
  for (const python of ["/usr/bin/python3", "python3"]) {
    if (await doesRun(python, ["-c", "import authlib, requests"])) return python;
  }
  return null;
};

/** @returns a Python that has Authlib, installing the package where root may. @throws StartError that says what to install. */
export const findAuthlib = async (): Promise<string> => {
  const present = await findInstalled();
  if (present) return present;
  await installPackages(...packages);
  const installed = await findInstalled();
  if (installed) return installed;
  throw new StartError(
    `The tests with Authlib need Python with Authlib and Requests, and they could not be installed.\nInstall them (Debian, Ubuntu: \`apt-get install ${packages.join(" ")}\`).`,
  );
};
