import type { Deps } from "../../deps/deps.ts";
import { OAuthError } from "../../kernel/errors.ts";
import { type Entity, serverEntity } from "./entities.ts";

/** The entities about which the directory makes statements: the authorization server. */
const subordinates = (deps: Pick<Deps, "config">, serverMetadata: object): Entity[] => [
  serverEntity(deps, serverMetadata),
];

export const findSubordinate = (
  deps: Pick<Deps, "config">,
  { sub, serverMetadata }: { sub: string; serverMetadata: object },
): Entity | null => subordinates(deps, serverMetadata).find(({ id }) => id === sub) ?? null;

export const entityNotFound = () =>
  new OAuthError("not_found", "sub isn't the identifier of an entity of this federation", { status: 404 });

/**
 * The identifiers of the subordinates that have all these entity types.
 * @param intermediate true: those that have subordinates themselves, which is none.
 */
export const listSubordinates = (
  deps: Pick<Deps, "config">,
  {
    entityTypes,
    intermediate,
    serverMetadata,
  }: { entityTypes: readonly string[]; intermediate: boolean; serverMetadata: object },
): string[] =>
  subordinates(deps, serverMetadata)
    .filter(({ metadata }) => !intermediate && entityTypes.every((type) => Object.hasOwn(metadata, type)))
    .map(({ id }) => id);
