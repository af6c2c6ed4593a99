import path from "node:path";
import { inspectTarget } from "../../data/schema/dump.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Config } from "../../deps/config.ts";
import { createLog } from "../../platform/log.ts";
import { readCommandVariables, readStartedSecrets } from "../service/started-service.ts";
import { productionService, type Service, sandboxService } from "../supervisor/environments.ts";
import { acquireInstanceLock } from "../supervisor/instance-lock.ts";
import { startPostgres } from "../supervisor/start-postgres.ts";
import type { SupervisedProcess } from "../supervisor/supervised.ts";

export type Target = Pick<Service, "name"> & { config: Config; simulatorFile: string | null };

export const toTarget = ({ name, config }: Service): Target => ({
  name,
  config,
  // The simulator's database file. Production on a loopback address and every sandbox have a simulator on this machine.
  simulatorFile: config.simulatorUrl ? path.join(config.dataDirectory, "simulator/simulator.sqlite") : null,
});

/**
 * Runs `work` on the databases of both environments. If `npm start` isn't running, this function starts the embedded
 * server and stops it after the work.
 * @param isExclusive whether the service and other commands must not run at the same time.
 * @throws StartError if such a process is running.
 */
export const withDatabases = async <T>(
  { isExclusive }: { isExclusive: boolean },
  work: (targets: readonly Target[]) => Promise<T>,
): Promise<T> => {
  const variables = readCommandVariables();
  const input = { outer: process.env, variables, secrets: await readStartedSecrets(variables) };
  const production = productionService(input);
  const sandbox = sandboxService(input, production);
  const services = sandbox ? [production, sandbox] : [production];
  const targets = services.map(toTarget);
  const embedded = services.find(({ tenant }) => tenant !== null);
  if (!embedded || (!isExclusive && (await answers(embedded.config.databaseUrl)))) return work(targets);
  const lock = await acquireInstanceLock(path.resolve(variables.DATA_DIR));
  const processes: SupervisedProcess[] = [];
  try {
    await startPostgres(input, services, {
      processes,
      log: createLog({ role: "command", environment: "both" }, "error"),
    });
    return await work(targets);
  } finally {
    for (const process of processes) await process.stop(30_000);
    await lock.release();
  }
};

const answers = (databaseUrl: string): Promise<boolean> =>
  inspectTarget(databaseUrl).then(
    () => true,
    (error: unknown) => {
      if (isUnavailable(error)) return false;
      throw error;
    },
  );
