import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import {
  claimDomainCheck,
  type DomainCheckRow,
  recordDomainProof,
  recordFailedDomainCheck,
  recordUnconfirmedCheck,
  unverifyDomain,
} from "../../data/directory/domain-checks.ts";
import { lockParticipantRow } from "../../data/directory/participant-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { recordVersion } from "../participants/record-version.ts";
import { endsVerification, nextCheckAt } from "../rules/domain-checks.ts";
import { findProof } from "./find-proof.ts";
import { notifyOwners } from "./notify-owners.ts";

/** Longer than the longest check. After this time, another worker takes over the check of a killed worker. */
const leaseSeconds = 60;

type CheckDeps = Pick<Deps, "db" | "clock" | "config" | "outbound" | "dns" | "log">;

/**
 * Checks verified domains daily, and ends the verification of a domain whose proof is missing (docs/spec/directory.md,
 * Daily checks). Any number of workers share the work.
 * @returns how many due domains were handled, at most `limit`.
 */
export const recheckDomains = async (
  deps: CheckDeps,
  { limit, requestId }: { limit: number; requestId: string },
): Promise<number> => {
  let checked = 0;
  while (checked < limit) {
    const now = deps.clock.now();
    const check = await claimDomainCheck(deps.db.sql, now, addSeconds(now, leaseSeconds));
    if (!check) break;
    const proof = await findProof(deps, check);
    // `busy`: the check was not made, so the domain is due again when the lease ends.
    if (proof.is === "found") await recordFound(deps, check, requestId);
    if (proof.is === "missing") await recordMissing(deps, check, requestId);
    if (proof.is === "unconfirmed") await recordUnconfirmed(deps, check);
    checked += 1;
  }
  return checked;
};

const recordFound = ({ db, clock }: CheckDeps, check: DomainCheckRow, requestId: string): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    const at = clock.now();
    const isRecorded = await recordDomainProof(sql, check, { at, dueAt: nextCheckAt(at, Math.random()) });
    if (isRecorded && check.failures > 0) await audit(sql, check, { at, requestId, result: "domain_check_passed" });
  });

/** The participant did its part, so the check isn't a failure. The operator has to configure a second resolver. */
const recordUnconfirmed = ({ db, clock }: CheckDeps, check: DomainCheckRow): Promise<void> => {
  const at = clock.now();
  return recordUnconfirmedCheck(db.sql, check, { at, dueAt: nextCheckAt(at, Math.random()) });
};

/** The audit log records only the first of several failures in a row, so that they don't fill the log. */
const recordMissing = ({ db, clock, config }: CheckDeps, check: DomainCheckRow, requestId: string): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    const at = clock.now();
    if (endsVerification(check.failures + 1, { provedAt: check.provedAt, at })) {
      const { participantId: id } = check;
      await lockParticipantRow(sql, id);
      if (!(await unverifyDomain(sql, check, at))) return;
      const { environment } = config;
      await recordVersion(sql, { id, change: "domain_unverified", changedBy: "system", at, environment });
      await audit(sql, check, { at, requestId, result: "domain_unverified" });
      await notifyOwners({ config, clock }, sql, { kind: "domain_unverified", check, at, requestId });
      return;
    }
    if (!(await recordFailedDomainCheck(sql, check, { at, dueAt: nextCheckAt(at, Math.random()) }))) return;
    if (check.failures > 0) return;
    await audit(sql, check, { at, requestId, result: "domain_check_failed" });
    await notifyOwners({ config, clock }, sql, { kind: "domain_check_failed", check, at, requestId });
  });

type Result = "domain_check_failed" | "domain_check_passed" | "domain_unverified";

const audit = (
  sql: Sql,
  { participantId, merchantId, domain }: DomainCheckRow,
  { at, requestId, result }: { at: Date; requestId: string; result: Result },
): Promise<unknown> =>
  appendAudit(sql, {
    at,
    actor: { kind: "system", id: "domain-checks" },
    requestId,
    action: `participant.${result}`,
    subjectId: participantId,
    data: { domain, ...(merchantId === null ? {} : { merchant_id: merchantId }) },
  });
