import { insertParticipant } from "#server/data/directory/participant-changes.ts";
import { insertParticipantDomain, markDomainVerified } from "#server/data/directory/participant-domains.ts";
import { insertSoftwareStatement } from "#server/data/directory/software-statements.ts";
import type { Deps } from "#server/deps/deps.ts";
import { recordVersion } from "#server/directory/participants/record-version.ts";
import { newId } from "#server/kernel/ids.ts";
import { addSeconds } from "#server/kernel/time/clock.ts";
import { signSoftwareStatement } from "#server/oauth/software-statements/sign-software-statement.ts";

export type StatementDeps = Pick<Deps, "clock" | "db" | "keys"> & {
  config: Pick<Deps["config"], "discoveryUrl" | "environment">;
};

/** Verifies a domain of a participant without a proof. */
export const addVerifiedDomain = async (
  { db, clock, config: { environment } }: Pick<StatementDeps, "clock" | "db" | "config">,
  { participantId, domain }: { participantId: string; domain: string },
): Promise<void> => {
  const at = clock.now();
  const token = newId("req");
  await db.sqlTransaction(async (sql) => {
    await insertParticipantDomain(sql, { participantId, domain, token, at, limit: 20 });
    await markDomainVerified(sql, { participantId, domain, token, at, checkDueAt: addSeconds(at, 86_400) });
    await recordVersion(sql, { id: participantId, change: "domain_verified", changedBy: "system", at, environment });
  });
};

const makeParticipant = async (deps: StatementDeps, domain: string): Promise<string> => {
  const id = newId("ptc");
  const entry = { id, role: "client", merchantId: null, displayName: domain, legalName: null } as const;
  await insertParticipant(deps.db.sql, { ...entry, at: deps.clock.now() });
  await addVerifiedDomain(deps, { participantId: id, domain });
  return id;
};

/** A recorded statement of a new participant with the domain `verified.example`, with any metadata. */
export const attest = async (deps: StatementDeps, metadata: Record<string, unknown>): Promise<string> => {
  const participantId = await makeParticipant(deps, "verified.example");
  const [id, issuedAt] = [newId("sst"), deps.clock.now()];
  const expiresAt = addSeconds(issuedAt, 90 * 86_400);
  const row = {
    id,
    participantId,
    softwareId: "-",
    clientName: "-",
    createdBy: "test",
    createdAt: issuedAt,
    expiresAt,
  };
  await insertSoftwareStatement(deps.db.sql, row);
  return signSoftwareStatement(deps, { id, participantId, metadata, issuedAt, expiresAt });
};
