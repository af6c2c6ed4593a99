import type { JSONWebKeySet } from "jose";
import { type Db, type Sql, statement, type Tx } from "../client.ts";

export const findForeignKeyList = async (db: Pick<Db, "prisma">): Promise<{ issuedAt: Date } | null> =>
  db.prisma.foreignClientKeyList.findUnique({ where: { id: 1 }, select: { issuedAt: true } });

const has = statement<{ found: boolean }>(
  "has_foreign_key",
  "SELECT EXISTS (SELECT 1 FROM foreign_client_key WHERE thumbprint_hash = ANY ($1::text[])) AS found",
);

export const hasForeignKey = async (sql: Sql, thumbprintHashes: readonly string[]): Promise<boolean> =>
  (await sql.query(has, [thumbprintHashes]))[0]?.found ?? false;

const add = statement<never>(
  "add_foreign_keys",
  `INSERT INTO foreign_client_key (thumbprint_hash, seen_at) SELECT unnest($1::text[]), $2::timestamptz ON CONFLICT DO NOTHING`,
);

/** Merges a newer list. A key that was ever on the list is refused permanently. */
export const saveForeignKeyList = async (
  tx: Tx,
  list: { thumbprintHashes: readonly string[]; issuedAt: Date; jwks: JSONWebKeySet },
): Promise<void> => {
  await tx.sql.query(add, [list.thumbprintHashes, list.issuedAt]);
  const data = { issuedAt: list.issuedAt, jwks: { keys: list.jwks.keys.map((key) => ({ ...key })) as object[] } };
  await tx.foreignClientKeyList.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
};
