import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { deleteFederationEntity } from "../../data/directory/federation-entities.ts";
import { insertParticipant } from "../../data/directory/participant-changes.ts";
import { insertParticipantDomain } from "../../data/directory/participant-domains.ts";
import { replaceMetadataUris } from "../../data/directory/participant-metadata.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import {
  assignToMerchant,
  deleteParticipantDomains,
  moveClients,
  moveIssuedRevoked,
  releaseFromMerchant,
  updateRoles,
} from "../../data/directory/transfers/entry-moves.ts";
import type { MerchantRow } from "../../data/merchants/merchants.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { maxDomains } from "../domains/claim-domain.ts";
import { entryOfMerchant } from "../participants/enrol-participant.ts";
import type { Participant } from "../participants/participant.wire.ts";
import { recordVersion } from "../participants/record-version.ts";

type Move = {
  participantId: string;
  /** the entry that the new owner had until now; null: none */
  replacedId: string | null;
  from: MerchantRow;
  to: MerchantRow;
  changedBy: Actor["kind"];
  environment: Participant["environment"];
  at: Date;
};

/**
 * Gives an entry to another merchant. The entry keeps its id, history and claimed domains. It loses the former owner's
 * clients with their keys, the proofs of the domains, and everything that the former owner set or issued. The former
 * owner gets a new entry for its clients. The new owner's clients join the entry, and the new owner's old entry is
 * withdrawn. The caller has locked both merchants and entries.
 */
export const moveEntry = async (
  sql: Sql,
  { participantId, replacedId, from, to, changedBy, environment, at }: Move,
): Promise<{ newId: string; tokens: number; statements: number }> => {
  const id = newId("ptc");
  const roles = await rolesOf(sql, participantId);
  const record = (entryId: string, change: string) =>
    recordVersion(sql, { id: entryId, change, changedBy, environment, at });
  const issued = { tokens: 0, statements: 0 };
  const moveAway = async (ids: { from: string; to: string }) => {
    await moveClients(sql, ids.from, ids.to);
    const { tokens, statements } = await moveIssuedRevoked(sql, { ...ids, at });
    issued.tokens += tokens;
    issued.statements += statements;
  };

  const domains = await clearEntry(sql, participantId, at);
  const joining = replacedId === null ? ["merchant"] : await rolesOf(sql, replacedId);
  if (replacedId !== null) {
    await clearEntry(sql, replacedId, at);
    await releaseFromMerchant(sql, replacedId, at);
  }
  const owner = entryOfMerchant(to);
  await assignToMerchant(sql, participantId, { ...owner, roles: joining });
  await insertParticipant(sql, { ...entryOfMerchant(from), id, role: "merchant", at });
  await updateRoles(sql, id, roles);
  await moveAway({ from: participantId, to: id });
  if (replacedId !== null) await moveAway({ from: replacedId, to: participantId });
  for (const domain of domains) {
    await insertParticipantDomain(sql, { participantId, domain, token: newSecret(), at, limit: maxDomains });
  }

  if (replacedId !== null) await record(replacedId, "withdrawn");
  await record(participantId, "transferred");
  await record(id, "registered");
  return { newId: id, ...issued };
};

const rolesOf = async (sql: Sql, id: string): Promise<readonly string[]> =>
  (await findParticipant(sql, id))?.roles ?? ["merchant"];

/** Removes from an entry what its owner proved or set. @returns the domains that the owner had claimed. */
const clearEntry = async (sql: Sql, id: string, at: Date): Promise<string[]> => {
  await deleteFederationEntity(sql, id);
  await replaceMetadataUris(sql, id, { uris: [], at });
  return deleteParticipantDomains(sql, id);
};
