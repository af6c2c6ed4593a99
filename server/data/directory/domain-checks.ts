import { type Sql, statement } from "../client.ts";

/** A check that one worker claimed. */
export type DomainCheckRow = {
  participantId: string;
  /** null: the participant has no merchant */
  merchantId: string | null;
  domain: string;
  token: string;
  provedAt: Date;
  /** consecutive failed checks before this one */
  failures: number;
  leaseUntil: Date;
};

const claim = statement<DomainCheckRow>(
  "claim_domain_check",
  `UPDATE participant_domain SET check_due_at = $2::timestamptz
    WHERE (participant_id, domain) = (SELECT participant_id, domain FROM participant_domain
      WHERE verified_at IS NOT NULL AND (check_due_at IS NULL OR check_due_at <= $1::timestamptz)
      ORDER BY check_due_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING participant_id AS "participantId",
          (SELECT p.merchant_id FROM participant p WHERE p.id = participant_id) AS "merchantId", domain, token, coalesce(proved_at, verified_at) AS "provedAt",
          failed_checks AS failures, check_due_at AS "leaseUntil"`,
);

/** Claims the verified domain whose check has been due longest, for one worker until `leaseUntil`. */
export const claimDomainCheck = async (sql: Sql, now: Date, leaseUntil: Date): Promise<DomainCheckRow | null> =>
  (await sql.query(claim, [now, leaseUntil]))[0] ?? null;

/** Finds no row if the domain was removed, or if another worker took the check over. */
const claimed = `WHERE participant_id = $1 AND domain = $2 AND token = $3 AND check_due_at = $4::timestamptz
      AND verified_at IS NOT NULL RETURNING domain`;
const keyOf = ({ participantId, domain, token, leaseUntil }: DomainCheckRow) =>
  [participantId, domain, token, leaseUntil] as const;

const prove = statement<{ domain: string }>(
  "record_domain_proof",
  `UPDATE participant_domain SET proved_at = $5::timestamptz, checked_at = $5::timestamptz, check_due_at = $6::timestamptz, failed_checks = 0 ${claimed}`,
);
const fail = statement<{ domain: string }>(
  "record_failed_domain_check",
  `UPDATE participant_domain SET checked_at = $5::timestamptz, check_due_at = $6::timestamptz,
          failed_checks = failed_checks + 1 ${claimed}`,
);
const postpone = statement<{ domain: string }>(
  "postpone_domain_check",
  `UPDATE participant_domain SET checked_at = $5::timestamptz, check_due_at = $6::timestamptz ${claimed}`,
);
const demote = statement<{ domain: string }>(
  "unverify_participant_domain",
  `UPDATE participant_domain SET verified_at = NULL, proved_at = NULL, check_due_at = NULL, failed_checks = 0,
          checked_at = $5::timestamptz, unverified_at = $5::timestamptz ${claimed}`,
);

/** @returns false if the check no longer belongs to this worker. */
export const recordDomainProof = async (
  sql: Sql,
  check: DomainCheckRow,
  { at, dueAt }: { at: Date; dueAt: Date },
): Promise<boolean> => (await sql.query(prove, [...keyOf(check), at, dueAt])).length === 1;

/** @returns false if the check no longer belongs to this worker. */
export const recordFailedDomainCheck = async (
  sql: Sql,
  check: DomainCheckRow,
  { at, dueAt }: { at: Date; dueAt: Date },
): Promise<boolean> => (await sql.query(fail, [...keyOf(check), at, dueAt])).length === 1;

/** Records a check that neither found the proof nor failed: only the times of the last and next check change. */
export const recordUnconfirmedCheck = async (
  sql: Sql,
  check: DomainCheckRow,
  { at, dueAt }: { at: Date; dueAt: Date },
): Promise<void> => {
  await sql.query(postpone, [...keyOf(check), at, dueAt]);
};

/** The caller has locked the participant. @returns false if the check no longer belongs to this worker. */
export const unverifyDomain = async (sql: Sql, check: DomainCheckRow, at: Date): Promise<boolean> =>
  (await sql.query(demote, [...keyOf(check), at])).length === 1;
