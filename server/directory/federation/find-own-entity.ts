import {
  type EntityRow,
  findFederationEntity,
  findSubordinateEntity,
} from "../../data/directory/federation-entities.ts";
import type { Deps } from "../../deps/deps.ts";

/** A participant's entity as its owner sees it: with the result of the last fetch. */
export type OwnEntity = EntityRow & { isSubordinate: boolean; isExpired: boolean };

/** @returns null if the participant has no federation entity. */
export const findOwnEntity = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  participantId: string,
): Promise<OwnEntity | null> => {
  const row = await findFederationEntity(db.sql, participantId);
  if (!row) return null;
  const at = clock.now();
  const isSubordinate = (await findSubordinateEntity(db.sql, { entityId: row.entityId, at })) !== null;
  return { ...row, isSubordinate, isExpired: row.validUntil <= at };
};
