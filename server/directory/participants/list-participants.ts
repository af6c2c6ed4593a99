import { countParticipants, findParticipants, type ParticipantPlace } from "../../data/directory/participant-search.ts";
import type { ParticipantRow } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { currencyFacet, environmentFacet, roleFacet, statusFacet } from "../rules/facets.ts";
import { nameQuery } from "../rules/name-query.ts";
import { readCursor, toCursor } from "../rules/participant-cursor.ts";

type Query = {
  /**
   * prefixes of the words of a name; or the exact id of the participant, its merchant or a client; or a verified
   * domain; or an issuer
   */
  q?: string | undefined;
  role?: string | undefined;
  /** as in `capabilityPattern` */
  capability?: string | undefined;
  currency?: string | undefined;
  environment?: string | undefined;
  status?: string | undefined;
  updatedSince?: Date | undefined;
  /** the cursor of an earlier page */
  cursor?: string | undefined;
  order?: "oldest" | "newest";
  limit: number;
  /** counts the participants, up to this number */
  countUpTo?: number;
};

type Filter = Pick<Query, "role" | "status" | "capability" | "currency">;

const toPlace = (cursor: string): ParticipantPlace => {
  const place = readCursor(cursor);
  if (place !== null) return place;
  throw new DomainError("invalid", {
    code: "invalid_request",
    message: "The cursor is not from this list. Start without a cursor.",
    errors: [{ pointer: "#cursor", detail: "is not a cursor of this list" }],
  });
};

const facetsOf = ({ role, status, capability, currency }: Filter): string[] => [
  ...(role === undefined ? [] : [roleFacet(role)]),
  ...(status === undefined ? [] : [statusFacet(status)]),
  ...(capability === undefined ? [] : [capability]),
  ...(currency === undefined ? [] : [currencyFacet(currency)]),
];

/**
 * Lists participants in the order of their last change. A client that continues from its last cursor receives every
 * later change.
 * @throws DomainError invalid_request, naming the cursor.
 */
export const listParticipants = async (
  { config, db }: Pick<Deps, "config" | "db">,
  { q, cursor, order = "oldest", limit, countUpTo = 0, environment, ...filter }: Query,
): Promise<{ participants: ParticipantRow[]; nextCursor: string | null; count: number }> => {
  const after = cursor === undefined ? null : toPlace(cursor);
  const isOwnEnvironment = environment === config.environment;
  const search = q === undefined ? null : { names: nameQuery(q), exact: q.trim() };
  const facets = [
    ...facetsOf(filter),
    ...(environment === undefined || isOwnEnvironment ? [] : [environmentFacet(environment)]),
  ];
  const found = { search, facets, isOwnEnvironment, updatedSince: filter.updatedSince ?? null };
  const [rows, count] = await Promise.all([
    findParticipants(db.sql, { ...found, after, order, limit }),
    countUpTo === 0 ? 0 : countParticipants(db.sql, found, countUpTo),
  ]);
  const participants = rows.slice(0, limit);
  const last = participants.at(-1);
  return { participants, nextCursor: rows.length > limit && last ? toCursor(last) : null, count };
};
