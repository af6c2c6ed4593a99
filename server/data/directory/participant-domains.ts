import { type Sql, statement } from "../client.ts";

export type ParticipantDomainRow = {
  domain: string;
  token: string;
  verifiedAt: Date | null;
  /** in a row */
  failedChecks: number;
  /** last check, with any result */
  checkedAt: Date | null;
  /** next daily check of a verified domain */
  checkDueAt: Date | null;
  /** when the daily checks ended the verification */
  unverifiedAt: Date | null;
};

const columns = `domain, token, verified_at AS "verifiedAt", failed_checks AS "failedChecks", checked_at AS "checkedAt",
       check_due_at AS "checkDueAt", unverified_at AS "unverifiedAt"`;

const claim = statement<ParticipantDomainRow>(
  "claim_participant_domain",
  `INSERT INTO participant_domain (participant_id, domain, token, claimed_at)
   SELECT $1, $2, $3, $4::timestamptz WHERE (SELECT count(*) FROM participant_domain WHERE participant_id = $1) < $5::int
   ON CONFLICT DO NOTHING RETURNING ${columns}`,
);

/**
 * The caller has locked the participant.
 * @returns null if the participant already claims the domain or already has `limit` domains.
 */
export const insertParticipantDomain = async (
  sql: Sql,
  claimed: { participantId: string; domain: string; token: string; at: Date; limit: number },
): Promise<ParticipantDomainRow | null> => {
  const { participantId, domain, token, at, limit } = claimed;
  return (await sql.query(claim, [participantId, domain, token, at, limit]))[0] ?? null;
};

const find = statement<ParticipantDomainRow>(
  "find_participant_domain",
  `SELECT ${columns} FROM participant_domain WHERE participant_id = $1 AND domain = $2`,
);

type Named = { participantId: string; domain: string };

export const findParticipantDomain = async (
  sql: Sql,
  { participantId, domain }: Named,
): Promise<ParticipantDomainRow | null> => (await sql.query(find, [participantId, domain]))[0] ?? null;

const verify = statement<{ domain: string }>(
  "verify_participant_domain",
  `UPDATE participant_domain SET verified_at = $4::timestamptz, proved_at = $4::timestamptz,
          checked_at = $4::timestamptz, check_due_at = $5::timestamptz, failed_checks = 0, unverified_at = NULL
    WHERE participant_id = $1 AND domain = $2 AND token = $3 AND verified_at IS NULL RETURNING domain`,
);

/** At most one caller gets true. A claim that was removed or replaced in the meantime isn't verified. */
export const markDomainVerified = async (
  sql: Sql,
  { participantId, domain, token, at, checkDueAt }: Named & { token: string; at: Date; checkDueAt: Date },
): Promise<boolean> => (await sql.query(verify, [participantId, domain, token, at, checkDueAt])).length === 1;

const proveAgain = statement<{ domain: string }>(
  "prove_participant_domain_again",
  `UPDATE participant_domain SET proved_at = $4::timestamptz, checked_at = $4::timestamptz,
          check_due_at = $5::timestamptz, failed_checks = 0
    WHERE participant_id = $1 AND domain = $2 AND token = $3 AND verified_at IS NOT NULL AND failed_checks > 0
   RETURNING domain`,
);

/** Resets the failed checks of a verified domain. At most one caller gets true. */
export const markDomainProvedAgain = async (
  sql: Sql,
  { participantId, domain, token, at, checkDueAt }: Named & { token: string; at: Date; checkDueAt: Date },
): Promise<boolean> => (await sql.query(proveAgain, [participantId, domain, token, at, checkDueAt])).length === 1;

const check = statement<never>(
  "record_unproved_domain_check",
  "UPDATE participant_domain SET checked_at = $4::timestamptz WHERE participant_id = $1 AND domain = $2 AND token = $3",
);

/** Records the time of a check that didn't find the proof. The state of the domain doesn't change. */
export const recordUnprovedCheck = async (
  sql: Sql,
  { participantId, domain, token, at }: Named & { token: string; at: Date },
): Promise<void> => {
  await sql.query(check, [participantId, domain, token, at]);
};

const list = statement<ParticipantDomainRow>(
  "list_participant_domains",
  `SELECT ${columns} FROM participant_domain WHERE participant_id = $1 ORDER BY domain`,
);

/** All claims of a participant. `insertParticipantDomain` limits their number. */
export const findParticipantDomains = (sql: Sql, participantId: string): Promise<ParticipantDomainRow[]> =>
  sql.query(list, [participantId]);

const remove = statement<ParticipantDomainRow>(
  "delete_participant_domain",
  `DELETE FROM participant_domain WHERE participant_id = $1 AND domain = $2 RETURNING ${columns}`,
);

export const deleteParticipantDomain = async (
  sql: Sql,
  { participantId, domain }: Named,
): Promise<ParticipantDomainRow | null> => (await sql.query(remove, [participantId, domain]))[0] ?? null;
