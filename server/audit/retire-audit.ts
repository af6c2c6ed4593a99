import { appendAudit } from "../data/audit/audit.ts";
import { dropAuditMonths } from "../data/schema/partitions.ts";
import type { Deps } from "../deps/deps.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { retiredBefore } from "./rules/retention.ts";

/** Longer than any month, so that no block is deleted before its last entry. */
const blocksLaterSeconds = 32 * 24 * 3600;

/**
 * Deletes entries that are ten years old (docs/spec/operations.md, Data retention), and records the deletion in the
 * log.
 * @returns the number of deleted months of entries.
 */
export const retireAudit = (deps: Pick<Deps, "db" | "clock">): Promise<number> => {
  const at = deps.clock.now();
  const entries = retiredBefore(at);
  return dropAuditMonths(deps.db, { entries, blocks: addSeconds(entries, -blocksLaterSeconds) }, (sql, months) =>
    appendAudit(sql, {
      at,
      actor: { kind: "system", id: "upkeep" },
      action: "audit.retired",
      subjectId: "-",
      requestId: "-",
      data: { months, before: entries.toISOString() },
    }),
  );
};
