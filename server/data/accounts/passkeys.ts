import { type Db, statement, type Tx } from "../client.ts";
import type { Passkey } from "../generated/client.ts";
import { lockAccount } from "./accounts.ts";

export type PasskeyPurpose = "add" | "sign_in" | "confirm";

/** The purpose of a challenge and the session that requested it. A challenge without a session is for signing in. */
type Occasion = { purpose: PasskeyPurpose; sessionId: string | null };

export const insertPasskeyChallenge = async (
  db: Db,
  challenge: Occasion & { hash: string; expiresAt: Date },
): Promise<void> => {
  await db.prisma.passkeyChallenge.create({ data: challenge });
};

/** At most one caller per challenge gets true, and only if it has the purpose and the session of the challenge. */
export const consumePasskeyChallenge = async (
  tx: Tx,
  { now, ...challenge }: Occasion & { hash: string; now: Date },
): Promise<boolean> => {
  const { count } = await tx.passkeyChallenge.deleteMany({ where: { ...challenge, expiresAt: { gt: now } } });
  return count === 1;
};

/** Includes the columns that decide whether the account may sign in. */
export const findPasskeyByCredential = (
  tx: Tx,
  credentialId: string,
): Promise<(Passkey & { account: { isDemo: boolean } }) | null> =>
  tx.passkey.findUnique({ where: { credentialId }, include: { account: { select: { isDemo: true } } } });

/** The account that has the passkey; null if the passkey is unknown. */
export const findPasskeyHolder = async (
  db: Db,
  credentialId: string,
): Promise<{ id: string; passwordHash: string | null } | null> => {
  const account = { select: { id: true, passwordHash: true } };
  return (await db.prisma.passkey.findUnique({ where: { credentialId }, select: { account } }))?.account ?? null;
};

/**
 * Stores a signature's count and time.
 * @returns false if the count hasn't increased, which indicates a cloned authenticator (WebAuthn §6.1.1). An
 *   authenticator without a counter always sends 0.
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

export const selectPasskeyOwner = async (db: Db, id: string): Promise<string | null> =>
  (await db.prisma.passkey.findUnique({ where: { id }, select: { accountId: true } }))?.accountId ?? null;

/**
 * Adds a passkey unless the account has `limit` of them or the credential is already registered. Serialized per
 * account.
 */
export const insertPasskey = async (
  tx: Tx,
  passkey: Omit<Passkey, "lastUsedAt">,
  limit: number,
): Promise<"added" | "full" | "known"> => {
  await lockAccount(tx.sql, passkey.accountId);
  if ((await tx.passkey.count({ where: { accountId: passkey.accountId } })) >= limit) return "full";
  const { count } = await tx.passkey.createMany({ data: passkey, skipDuplicates: true });
  return count === 1 ? "added" : "known";
};

type Owned = { id: string; accountId: string };

/** @returns false if this account has no such passkey. */
export const renamePasskeyOfAccount = async (
  tx: Tx,
  { name, ...passkey }: Owned & { name: string },
): Promise<boolean> => (await tx.passkey.updateMany({ where: passkey, data: { name } })).count === 1;

const deleteOwned = statement<{ name: string }>(
  "delete_passkey_of_account",
  "DELETE FROM passkey WHERE id = $1 AND account_id = $2 RETURNING name",
);

/** At most one caller gets the passkey's name; null if this account has no such passkey. */
export const deletePasskeyOfAccount = async (tx: Tx, { id, accountId }: Owned): Promise<string | null> =>
  (await tx.sql.query(deleteOwned, [id, accountId]))[0]?.name ?? null;
