import type { OwnEntity } from "../../../directory/federation/find-own-entity.ts";
import { configurationUrl } from "../../../directory/rules/federation/entity-configuration.ts";

/**
 * `failing`: a subordinate whose last fetch failed. `left`: its configuration expired. `inactive`: the entry isn't
 * active, or the entity's domain isn't verified.
 */
type EntityState = "subordinate" | "failing" | "left" | "inactive";

const stateOf = ({ isSubordinate, isExpired, problem }: OwnEntity): EntityState => {
  if (isSubordinate) return problem === null ? "subordinate" : "failing";
  return isExpired ? "left" : "inactive";
};

/** Plain JSON for the page. */
export const toOwnEntity = (entity: OwnEntity) => ({
  entityId: entity.entityId,
  configurationUrl: configurationUrl(entity.entityId),
  state: stateOf(entity),
  keyCount: entity.keyThumbprints.length,
  validUntil: entity.validUntil.toISOString(),
  fetchedAt: entity.fetchedAt?.toISOString() ?? null,
  problem: entity.problem,
});

export type OwnEntityView = ReturnType<typeof toOwnEntity>;
