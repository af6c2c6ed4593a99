import { cpuSecondsByRole } from "../cpu-time.ts";
import { type DatabaseTotals, readDatabaseTotals } from "./database-totals.ts";
import type { MeasuredService } from "./measured-service.ts";

/** The cost doesn't include the CPU time of this role, because the role replaces an external payment processor. */
export const excludedRole = "simulator";

/** What a service has used: CPU time in seconds by the role of its processes, and totals of its PostgreSQL. */
export type ServiceTotals = { cpu: ReadonlyMap<string, number>; database: DatabaseTotals };

type Measured = Pick<MeasuredService, "product" | "client">;

export const readServiceTotals = async ({ product, client }: Measured): Promise<ServiceTotals> => ({
  cpu: await cpuSecondsByRole(product.pid),
  database: await readDatabaseTotals(client),
});

/** @returns the difference between two readings. */
export const usedBetween = (before: ServiceTotals, after: ServiceTotals): ServiceTotals => {
  const of = (name: keyof DatabaseTotals) => after.database[name] - before.database[name];
  return {
    cpu: new Map([...after.cpu].map(([role, seconds]) => [role, seconds - (before.cpu.get(role) ?? 0)])),
    database: {
      walBytes: of("walBytes"),
      walRecords: of("walRecords"),
      walPages: of("walPages"),
      transactions: of("transactions"),
    },
  };
};
