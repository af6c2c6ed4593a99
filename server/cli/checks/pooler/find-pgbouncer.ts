import { StartError } from "../../supervisor/steps.ts";
import { doesRun } from "../install-packages.ts";

/**
 * Finds PgBouncer, which can be in a directory that only root's PATH has. Does not install the package, because the
 * package also starts a service.
 * @throws StartError that says what to install
 */
export const findPgbouncer = async (): Promise<string> => {
  for (const program of ["pgbouncer", "/usr/sbin/pgbouncer"]) if (await doesRun(program, ["--version"])) return program;
  throw new StartError(
    "PgBouncer is not installed: install it (Debian, Ubuntu: `apt-get install pgbouncer`), and stop the service that the package starts.",
  );
};
