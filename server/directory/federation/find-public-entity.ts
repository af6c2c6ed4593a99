import { findSubordinateEntity } from "../../data/directory/federation-entities.ts";
import type { Deps } from "../../deps/deps.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import type { Participant } from "../participants/participant.wire.ts";
import { configurationUrl } from "../rules/federation/entity-configuration.ts";

type Address = { id: string; configurationUrl: string };

/** A participant's federation entity. `trustAnchor` is null while the entity isn't a subordinate. */
export type PublicEntity = Address & { trustAnchor: Address | null };

const addressOf = (id: string): Address => ({ id, configurationUrl: configurationUrl(id) });

/** @returns null if the participant has no federation entity. */
export const findPublicEntity = async (
  { config, db, clock }: Pick<Deps, "config" | "db" | "clock">,
  { id, federation_entity: registered }: Pick<Participant, "id" | "federation_entity">,
): Promise<PublicEntity | null> => {
  const trustAnchor = addressOf(config.discoveryUrl);
  if (id === serverParticipantId) return { ...addressOf(config.baseUrl), trustAnchor };
  if (registered === null) return null;
  const entityId = registered.entity_id;
  const isSubordinate = (await findSubordinateEntity(db.sql, { entityId, at: clock.now() })) !== null;
  return { ...addressOf(entityId), trustAnchor: isSubordinate ? trustAnchor : null };
};
