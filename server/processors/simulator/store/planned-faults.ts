import type { DatabaseSync } from "node:sqlite";

export type FaultedCall = "payment" | "capture" | "void" | "refund" | "any";
export type PlannedFault = { id: number; account: string | null; call: FaultedCall; fault: string; times: number };

/** Planned faults: each is used for the next `times` calls. An `outage` lasts until it is cleared. */
export const plannedFaultsOf = (db: DatabaseSync) => {
  const insert = db.prepare("INSERT INTO planned_fault (account, call, fault, times) VALUES (?, ?, ?, ?) RETURNING id");
  const find = db.prepare(
    `SELECT id, fault FROM planned_fault WHERE fault <> 'outage' AND (account IS NULL OR account = ?)
       AND call IN ('any', ?) ORDER BY id LIMIT 1`,
  );
  const outage = db.prepare(
    "SELECT 1 FROM planned_fault WHERE fault = 'outage' AND (account IS NULL OR account = ?) LIMIT 1",
  );
  const use = db.prepare("UPDATE planned_fault SET times = times - 1 WHERE id = ?");
  const spent = db.prepare("DELETE FROM planned_fault WHERE times <= 0");
  const clear = db.prepare("DELETE FROM planned_fault");
  const list = db.prepare("SELECT id, account, call, fault, times FROM planned_fault ORDER BY id");
  return {
    planFault: (planned: Omit<PlannedFault, "id">) =>
      (insert.get(planned.account, planned.call, planned.fault, planned.times) as { id: number }).id,
    /** Counts the fault as used. @returns the fault for this call; null if none is planned. */
    takeFault(account: string, call: Exclude<FaultedCall, "any">): string | null {
      const planned = find.get(account, call) as { id: number; fault: string } | undefined;
      if (!planned) return null;
      use.run(planned.id);
      spent.run();
      return planned.fault;
    },
    isOut: (account: string) => outage.get(account) !== undefined,
    clearFaults: () => Number(clear.run().changes),
    listFaults: () => list.all() as PlannedFault[],
  };
};
