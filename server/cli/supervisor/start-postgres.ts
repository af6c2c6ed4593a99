import path from "node:path";
import { provisionDatabases } from "../../data/schema/provision.ts";
import type { Log } from "../../deps/deps.ts";
import { createCluster, findCluster } from "../../platform/embedded/cluster.ts";
import * as environments from "./environments.ts";
import { launchDetached } from "./launch.ts";
import { type SupervisedProcess, supervise } from "./supervised.ts";

type Input = Parameters<typeof environments.productionService>[0];

/**
 * Starts the embedded PostgreSQL and provisions the services' databases. @returns what the step
 * prints, for example its port.
 */
export const startPostgres = async (
  input: Input,
  services: readonly environments.Service[],
  { processes, log }: { processes: SupervisedProcess[]; log: Log },
): Promise<string> => {
  const { variables, secrets } = input;
  const isNew = await createCluster(
    await findCluster(path.join(path.resolve(variables.DATA_DIR), "postgres")),
    secrets.postgresPassword,
  );
  const environment = environments.postgresEnvironment(input);
  processes.push(supervise("postgres", () => launchDetached("postgres", environment), log));
  const adminUrl = `postgresql://postgres:${secrets.postgresPassword}@127.0.0.1:${variables.POSTGRES_PORT}/postgres`;
  await provisionDatabases(
    adminUrl,
    services.flatMap((service) => service.tenant ?? []),
    60,
  );
  return `port ${variables.POSTGRES_PORT}${isNew ? ", new" : ""}`;
};
