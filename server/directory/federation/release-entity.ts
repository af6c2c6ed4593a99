import type { Sql } from "../../data/client.ts";
import { deleteFederationEntity, findEntityHolder } from "../../data/directory/federation-entities.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { recordVersion } from "../participants/record-version.ts";
import { reportLeft } from "./report-left.ts";

const problem = "Another participant verified the domain and registered the entity.";

type Input = {
  entityId: string;
  /** the caller has locked this participant */
  holderId: string;
  at: Date;
  requestId: string;
};

/**
 * Removes an entity from a participant that is withdrawn or no longer has the domain, so that the new owner of the
 * domain can register the entity. The former participant's owners get an e-mail.
 * @returns false if the participant is still entitled to the entity, or another one has it.
 */
export const releaseEntity = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { entityId, holderId, at, requestId }: Input,
): Promise<boolean> => {
  const holder = await findEntityHolder(sql, entityId);
  if (!holder) return true;
  if (holder.isEntitled || holder.participantId !== holderId) return false;
  await deleteFederationEntity(sql, holderId);
  const { environment } = deps.config;
  await recordVersion(sql, { id: holderId, change: "federation_removed", changedBy: "system", at, environment });
  const row = await findParticipant(sql, holderId);
  const entity = { participantId: holderId, merchantId: row?.merchantId ?? null, entityId };
  await reportLeft(deps, sql, { entity, problem, at, requestId });
  return true;
};
