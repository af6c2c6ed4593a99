import { StartError } from "../supervisor/steps.ts";
import { doesRun, installPackages } from "./install-packages.ts";

/** Finds nginx. On some machines it is in a directory that only root's PATH has. */
const findInstalled = async (): Promise<string | null> => {
  for (const nginx of ["nginx", "/usr/sbin/nginx"]) if (await doesRun(nginx, ["-v"])) return nginx;
  return null;
};

/**
 * Finds nginx, and installs the package if this process may.
 * @throws StartError that says what to install
 */
export const findNginx = async (): Promise<string> => {
  const present = await findInstalled();
  if (present) return present;
  // The tests make a certificate with OpenSSL.
  await installPackages("nginx", "openssl");
  const installed = await findInstalled();
  if (installed) return installed;
  throw new StartError(
    "The tests with nginx need nginx and OpenSSL, which could not be installed.\nInstall them (Debian, Ubuntu: `apt-get install nginx openssl`).",
  );
};
