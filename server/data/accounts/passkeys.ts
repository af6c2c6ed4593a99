import { type Db, statement, type Tx } from "../client.ts";
import type { Passkey } from "../generated/client.ts";

export type PasskeyPurpose = "add" | "sign_in" | "confirm";

/** What a challenge is for, and whose page asks; without a session it is for signing in. */
type Occasion = { purpose: PasskeyPurpose; sessionId: string | null };

export const insertPasskeyChallenge = async (
  db: Db,
  challenge: Occasion & { hash: string; expiresAt: Date },
): Promise<void> => {
  await db.prisma.passkeyChallenge.create({ data: challenge });
};

/** At most one caller per challenge gets true, on the occasion that it was made for. */
export const consumePasskeyChallenge = async (
  tx: Tx,
  { now, ...challenge }: Occasion & { hash: string; now: Date },
): Promise<boolean> => {
  const { count } = await tx.passkeyChallenge.deleteMany({ where: { ...challenge, expiresAt: { gt: now } } });
  return count === 1;
};

/** With what decides whether its account may sign in. */
export const findPasskeyByCredential = (
  tx: Tx,
  credentialId: string,
): Promise<(Passkey & { account: { isDemo: boolean } }) | null> =>
  tx.passkey.findUnique({ where: { credentialId }, include: { account: { select: { isDemo: true } } } });

/** Whose passkey it is; null where it isn't known. */
export const findPasskeyHolder = async (
  db: Db,
  credentialId: string,
): Promise<{ id: string; passwordHash: string } | null> => {
  const account = { select: { id: true, passwordHash: true } };
  return (await db.prisma.passkey.findUnique({ where: { credentialId }, select: { account } }))?.account ?? null;
};

/**
 * Keeps a signature's count and time. @returns false where the count has not grown, as a copy's wouldn't (WebAuthn §6.1.1);
 * an authenticator that counts nothing sends 0 each time.
 */
export const recordPasskeyUse = async (
  tx: Tx,
  { id, counter, ...use }: { id: string; counter: number; isBackedUp: boolean; lastUsedAt: Date },
): Promise<boolean> => {
  const { count } = await tx.passkey.updateMany({
    where: { id, counter: counter === 0 ? 0 : { lt: counter } },
    data: { ...use, counter },
  });
  return count === 1;
};

export const findPasskeysOfAccount = (db: Db, accountId: string) =>
  db.prisma.passkey.findMany({
    where: { accountId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    omit: { accountId: true, publicKey: true, counter: true },
  });

export const countPasskeysOfAccount = (db: Db, accountId: string): Promise<number> =>
  db.prisma.passkey.count({ where: { accountId } });

export const selectPasskeyOwner = async (db: Db, id: string): Promise<string | null> =>
  (await db.prisma.passkey.findUnique({ where: { id }, select: { accountId: true } }))?.accountId ?? null;

const lockAccount = statement<never>("lock_account", "SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE");

/** Unless the account has `limit` of them, or some account this very credential. One at a time per account. */
export const insertPasskey = async (
  tx: Tx,
  passkey: Omit<Passkey, "lastUsedAt">,
  limit: number,
): Promise<"added" | "full" | "known"> => {
  await tx.sql.query(lockAccount, [passkey.accountId]);
  if ((await tx.passkey.count({ where: { accountId: passkey.accountId } })) >= limit) return "full";
  const { count } = await tx.passkey.createMany({ data: passkey, skipDuplicates: true });
  return count === 1 ? "added" : "known";
};

type Owned = { id: string; accountId: string };

/** @returns false where this account has no such passkey. */
export const renamePasskeyOfAccount = async (
  tx: Tx,
  { name, ...passkey }: Owned & { name: string },
): Promise<boolean> => (await tx.passkey.updateMany({ where: passkey, data: { name } })).count === 1;

const deleteOwned = statement<{ name: string }>(
  "delete_passkey_of_account",
  "DELETE FROM passkey WHERE id = $1 AND account_id = $2 RETURNING name",
);

/** At most one caller gets its name; null where this account has no such passkey. */
export const deletePasskeyOfAccount = async (tx: Tx, { id, accountId }: Owned): Promise<string | null> =>
  (await tx.sql.query(deleteOwned, [id, accountId]))[0]?.name ?? null;
