import { findParticipants, type ParticipantPlace, type ParticipantRow } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Query = {
  /**
   * prefixes of the words of a name; or the exact id of the participant, its merchant or a client; or a verified domain
   */
  q: string | null;
  role: string | null;
  status: string | null;
  updatedSince: Date | null;
  /** the cursor of an earlier page */
  cursor: string | null;
  limit: number;
};

const toCursor = ({ updatedAt, id }: ParticipantPlace): string =>
  Buffer.from(`${updatedAt.getTime()} ${id}`).toString("base64url");

const toPlace = (cursor: string): ParticipantPlace => {
  const { milliseconds, id } =
    /^(?<milliseconds>\d{1,15}) (?<id>ptc_\w{1,60})$/.exec(Buffer.from(cursor, "base64url").toString())?.groups ?? {};
  if (milliseconds === undefined || id === undefined) {
    throw new DomainError("invalid", {
      code: "invalid_request",
      message: "The cursor is not from this list. Start without a cursor.",
      errors: [{ pointer: "#cursor", detail: "is not a cursor of this list" }],
    });
  }
  return { updatedAt: new Date(Number(milliseconds)), id };
};

/**
 * Lists participants in the order of their last change. A client that continues from its last cursor receives every
 * later change.
 * @throws DomainError invalid_request, naming the cursor.
 */
export const listParticipants = async (
  { db }: Pick<Deps, "db">,
  { q, cursor, limit, ...filter }: Query,
): Promise<{ participants: ParticipantRow[]; nextCursor: string | null }> => {
  const rows = await findParticipants(db.sql, {
    ...filter,
    limit,
    search: q === null ? null : { words: q.match(/[\p{L}\p{N}]+/gu) ?? [], exact: q.trim() },
    after: cursor === null ? null : toPlace(cursor),
  });
  const participants = rows.slice(0, limit);
  const last = participants.at(-1);
  return { participants, nextCursor: rows.length > limit && last ? toCursor(last) : null };
};
