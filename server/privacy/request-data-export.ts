import { appendAudit } from "../data/audit/audit.ts";
import { insertDataExport } from "../data/privacy/data-exports.ts";
import type { Deps } from "../deps/deps.ts";
import { newId } from "../kernel/ids.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { exportSeconds } from "./rules/periods.ts";

/**
 * Requests a copy of everything that is stored about an account. A worker prepares the copy. Until it is ready, another
 * request changes nothing.
 */
export const requestDataExport = (
  deps: Pick<Deps, "db" | "clock">,
  { accountId, requestId }: { accountId: string; requestId: string },
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const [id, at] = [newId("exp"), deps.clock.now()];
    if (!(await insertDataExport(sql, { id, accountId, at, expiresAt: addSeconds(at, exportSeconds) }))) return;
    const actor = { kind: "payer", id: accountId } as const;
    await appendAudit(sql, { at, actor, action: "data_export.requested", subjectId: id, requestId });
  });
