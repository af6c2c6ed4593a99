import type { JWK } from "jose";
import type { Db, Tx } from "./client.ts";

export type SigningKeyRow = {
  kid: string;
  purpose: string;
  alg: string;
  publicJwk: JWK;
  privateSealed: string | null;
  state: "next" | "active" | "retired" | "revoked";
};

/** Every key that still signs or verifies something; revoked ones are left out. */
export const findLiveSigningKeys = async (db: Db | { prisma: Tx }, now: Date): Promise<SigningKeyRow[]> => {
  const rows = await db.prisma.signingKey.findMany({
    where: { state: { not: "revoked" }, OR: [{ publishUntil: null }, { publishUntil: { gt: now } }] },
    orderBy: { createdAt: "asc" },
  });
  return rows.map((row) => ({ ...row, publicJwk: row.publicJwk as JWK }));
};

/** Serialises makers of keys across processes until the transaction ends. */
export const lockSigningKeys = async (tx: Tx): Promise<void> => {
  await tx.$queryRawUnsafe("SELECT 1 FROM pg_advisory_xact_lock(hashtext('signing_key'))");
};

export const insertSigningKey = async (tx: Tx, row: SigningKeyRow, now: Date): Promise<void> => {
  await tx.signingKey.create({
    data: { ...row, publicJwk: { ...row.publicJwk }, createdAt: now, activatedAt: row.state === "active" ? now : null },
  });
};
