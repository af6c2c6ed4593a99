import { StartError } from "../supervisor/steps.ts";
import { doesRun, installPackages } from "./install-packages.ts";

/** It is for root on some machines, and not on everybody's PATH there. */
const findInstalled = async (): Promise<string | null> => {
  for (const nginx of ["nginx", "/usr/sbin/nginx"]) if (await doesRun(nginx, ["-v"])) return nginx;
  return null;
};

/** @returns the nginx of this machine, installing the package where root may. @throws StartError that says what to install. */
export const findNginx = async (): Promise<string> => {
  const present = await findInstalled();
  if (present) return present;
  // With what makes a certificate for it.
  await installPackages("nginx", "openssl");
  const installed = await findInstalled();
  if (installed) return installed;
  throw new StartError(
    "What runs behind nginx needs it, and it could not be installed.\nInstall it (Debian, Ubuntu: `apt-get install nginx openssl`).",
  );
};
