import {
  findSubordinateEntity,
  listSubordinateEntities,
  type SubordinateRow,
} from "../../data/directory/federation-entities.ts";
import { findKeysOfParticipant } from "../../data/directory/participant-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { OAuthError } from "../../kernel/errors.ts";
import { holdsText } from "../../kernel/text/text.ts";
import { configurationClaims, entityHost } from "../rules/federation/entity-configuration.ts";
import { anchorSigner, serverEntity } from "./entities.ts";
import { type SignDeps, type Subordinate, signConfiguration } from "./sign-statements.ts";

type Metadata = Readonly<Record<string, object>>;

/** A subordinate with the data that a resolver returns. */
export type ResolvableSubordinate = Subordinate & {
  /** the subordinate's own metadata, with the directory's statements, which take precedence */
  metadata: Metadata;
  /** the subordinate's statement about itself, a JWT */
  configuration(): Promise<string>;
};

export const serverSubordinate = (
  deps: SignDeps & Pick<Deps, "config">,
  serverMetadata: object,
): ResolvableSubordinate => {
  const entity = serverEntity(deps, serverMetadata);
  return {
    id: entity.id,
    jwks: deps.keys.jwks(entity.keyPurpose),
    metadata: entity.metadata,
    configuration: () => signConfiguration(deps, entity, anchorSigner(deps)),
  };
};

/** @returns null unless `sub` is the authorization server or an entity that is a subordinate now. */
export const findSubordinate = async (
  deps: Deps,
  { sub, serverMetadata }: { sub: string; serverMetadata: object },
): Promise<ResolvableSubordinate | null> => {
  if (sub === deps.config.baseUrl) return serverSubordinate(deps, serverMetadata);
  // A text for which `entityHost` is null can't be the identifier of an entity. It isn't looked up, because a query
  // with some of these texts would fail.
  if (entityHost(sub) === null) return null;
  const row = await findSubordinateEntity(deps.db.sql, { entityId: sub, at: deps.clock.now() });
  return row && toSubordinate(deps, row);
};

/**
 * The federation keys are those in the entity's configuration. The keys of the participant's clients are metadata: the
 * directory states them, and they take precedence over the keys of clients in the configuration.
 */
const toSubordinate = async (
  { db }: Pick<Deps, "db">,
  { participantId, entityId, configuration }: SubordinateRow,
): Promise<ResolvableSubordinate> => {
  const { jwks, metadata } = configurationClaims(configuration);
  const protocolKeys = await findKeysOfParticipant(db.sql, { participantId, withRetired: false });
  const client = metadata["oauth_client"];
  const isStated = client !== undefined && protocolKeys.length > 0;
  const stated = { oauth_client: { jwks: { keys: protocolKeys.map(({ jwk }) => jwk) } } };
  return {
    id: entityId,
    jwks,
    metadata: isStated ? { ...metadata, oauth_client: { ...client, ...stated.oauth_client } } : metadata,
    ...(isStated ? { stated } : {}),
    configuration: async () => configuration,
  };
};

export const entityNotFound = () =>
  new OAuthError("not_found", "sub isn't the identifier of an entity of this federation", { status: 404 });

/**
 * The identifiers of the subordinates that have all these entity types, the authorization server first.
 * @param intermediate true: only subordinates that have subordinates of their own. No subordinate has any.
 */
export const listSubordinates = async (
  deps: Deps,
  {
    entityTypes,
    intermediate,
    serverMetadata,
  }: { entityTypes: readonly string[]; intermediate: boolean; serverMetadata: object },
): Promise<string[]> => {
  if (intermediate) return [];
  const server = serverEntity(deps, serverMetadata);
  if (!entityTypes.every(holdsText)) return [];
  const own = entityTypes.every((type) => Object.hasOwn(server.metadata, type)) ? [server.id] : [];
  return [...own, ...(await listSubordinateEntities(deps.db.sql, { entityTypes, at: deps.clock.now() }))];
};
