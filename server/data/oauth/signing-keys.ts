import type { JWK } from "jose";
import { type Db, type Sql, statement, type Tx } from "../client.ts";

export type SigningKeyState = "next" | "active" | "retired" | "deleted" | "revoked";

export type SigningKeyRow = {
  kid: string;
  purpose: string;
  alg: string;
  publicJwk: JWK;
  /** null once it no longer signs */
  privateSealed: string | null;
  state: SigningKeyState;
  createdAt: Date;
  publishedAt: Date | null;
  activatedAt: Date | null;
  rotationRequestedAt: Date | null;
  retiredAt: Date | null;
  publishUntil: Date | null;
  deletedAt: Date | null;
  revokedAt: Date | null;
};

/** Published keys: every key that will sign, signs, or may still be needed to verify. */
const publishedStates: SigningKeyState[] = ["next", "active", "retired"];

export const findPublishedSigningKeys = (db: Pick<Db, "prisma"> | { prisma: Tx }): Promise<SigningKeyRow[]> =>
  find(db, { state: { in: publishedStates } });

/** All keys, deleted and revoked ones included, oldest first. */
export const listSigningKeys = (db: Pick<Db, "prisma"> | { prisma: Tx }): Promise<SigningKeyRow[]> => find(db, {});

const find = async (
  { prisma }: Pick<Db, "prisma"> | { prisma: Tx },
  where: { state?: { in: SigningKeyState[] } },
): Promise<SigningKeyRow[]> => {
  const rows = await prisma.signingKey.findMany({ where, orderBy: [{ createdAt: "asc" }, { kid: "asc" }] });
  return rows.map((row) => ({ ...row, publicJwk: row.publicJwk as JWK }));
};

const selectVersion = statement<{ version: string }>(
  "signing_keys_version",
  `SELECT coalesce(string_agg(kid || ' ' || state::text, ',' ORDER BY created_at, kid), '') AS version
     FROM signing_key WHERE state IN ('next', 'active', 'retired')`,
);

/**
 * Version of the published keys, equal to `versionOf` their rows. Each web and worker process runs this statement once
 * a second.
 */
export const findPublishedVersion = async (sql: Sql): Promise<string> =>
  (await sql.query(selectVersion, []))[0]?.version ?? "";

export const versionOf = (published: readonly SigningKeyRow[]): string =>
  published.map(({ kid, state }) => `${kid} ${state}`).join(",");

/** Locks all keys until the transaction ends. Rows that are read afterwards can't change. */
export const lockSigningKeys = async (tx: Tx): Promise<void> => {
  await tx.$queryRawUnsafe("SELECT 1 FROM pg_advisory_xact_lock(hashtext('signing_key'))");
};

export type NewSigningKey = Pick<SigningKeyRow, "kid" | "purpose" | "alg" | "publicJwk"> & {
  privateSealed: string;
  state: "next" | "active";
};

export const insertSigningKey = async (tx: Tx, row: NewSigningKey, at: Date): Promise<void> => {
  await tx.signingKey.create({
    data: { ...row, publicJwk: { ...row.publicJwk }, createdAt: at, activatedAt: row.state === "active" ? at : null },
  });
};

const markPublished = statement<never>(
  "mark_signing_keys_published",
  "UPDATE signing_key SET published_at = $1::timestamptz WHERE published_at IS NULL AND state = 'next'",
);

/**
 * Marks the new keys as published at this time. The keys must be committed before: a time in their own transaction
 * would be too early, because other processes can't read the keys yet.
 */
export const markSigningKeysPublished = async (sql: Sql, at: Date): Promise<void> => {
  await sql.query(markPublished, [at]);
};

type Change =
  | { state: "active"; activatedAt: Date }
  | { state: "retired"; retiredAt: Date; publishUntil: Date; privateSealed: null }
  | { state: "deleted"; deletedAt: Date }
  | { state: "revoked"; revokedAt: Date; privateSealed: null }
  | { rotationRequestedAt: Date }
  | { publishUntil: Date };

export const updateSigningKey = async (tx: Tx, kid: string, change: Change): Promise<void> => {
  await tx.signingKey.update({ where: { kid }, data: change });
};

const selectLastMandateEnd = statement<{ end: Date | null }>(
  "last_mandate_end",
  `SELECT max(valid_until) AS "end" FROM mandate WHERE consented_at <= $1::timestamptz`,
);

/** The latest end of the mandates that were granted by this time. Credentials of these mandates expire by then, too. */
export const findLastMandateEnd = async (sql: Sql, grantedUntil: Date): Promise<Date | null> =>
  (await sql.query(selectLastMandateEnd, [grantedUntil]))[0]?.end ?? null;

const selectRevoked = statement<{ isRevoked: boolean }>(
  "is_signing_key_revoked",
  `SELECT EXISTS (SELECT FROM signing_key WHERE kid = $1 AND state = 'revoked') AS "isRevoked"`,
);

/** Includes keys that are no longer published. */
export const isKeyRevoked = async (sql: Sql, kid: string): Promise<boolean> =>
  (await sql.query(selectRevoked, [kid]))[0]?.isRevoked ?? false;

/**
 * SQL: whether the key of that kid was active when it signed, and isn't revoked.
 * @param kid an expression, never input.
 */
export const isKeyActive = (kid: string): string =>
  `EXISTS (SELECT FROM signing_key k WHERE k.kid = ${kid} AND k.state IN ('active', 'retired'))`;
