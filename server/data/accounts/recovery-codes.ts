import { type Db, type Sql, statement, type Tx } from "../client.ts";
import { lockAccount } from "./accounts.ts";

type NewCodes = { accountId: string; codeHashes: readonly string[]; now: Date };

const insertCodes = async (tx: Tx, { accountId, codeHashes, now }: NewCodes): Promise<void> => {
  await tx.recoveryCode.createMany({
    data: codeHashes.map((codeHash) => ({ accountId, codeHash, createdAt: now })),
  });
};

/**
 * Replaces all codes of the account, including used ones. The caller has locked the account, so that one set remains.
 */
export const replaceRecoveryCodes = async (tx: Tx, codes: NewCodes): Promise<void> => {
  await deleteRecoveryCodes(tx, codes.accountId);
  await insertCodes(tx, codes);
};

/** Deletes all codes of the account, including used ones. */
export const deleteRecoveryCodes = async (tx: Tx, accountId: string): Promise<void> => {
  await tx.recoveryCode.deleteMany({ where: { accountId } });
};

/** At most one caller inserts the first codes of an account. @returns false if the account has used or unused codes. */
export const insertFirstRecoveryCodes = async (tx: Tx, codes: NewCodes): Promise<boolean> => {
  const { accountId } = codes;
  await lockAccount(tx.sql, accountId);
  if ((await tx.recoveryCode.count({ where: { accountId } })) > 0) return false;
  await insertCodes(tx, codes);
  return true;
};

const consume = statement<{ code_hash: string }>(
  "consume_recovery_code",
  `UPDATE recovery_code SET used_at = $3::timestamptz
    WHERE account_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING code_hash`,
);

/** At most one caller per code gets true. */
export const consumeRecoveryCode = async (
  sql: Sql,
  { accountId, codeHash, now }: { accountId: string; codeHash: string; now: Date },
): Promise<boolean> => (await sql.query(consume, [accountId, codeHash, now])).length === 1;

/** The number of unused codes, and when the codes were created; null if there are no used or unused codes. */
export const findRecoveryCodeState = async (
  { recoveryCode }: Pick<Db["prisma"] | Tx, "recoveryCode">,
  accountId: string,
): Promise<{ left: number; createdAt: Date } | null> => {
  const codes = await recoveryCode.findMany({ where: { accountId }, select: { createdAt: true, usedAt: true } });
  const [first] = codes;
  return first ? { left: codes.filter(({ usedAt }) => usedAt === null).length, createdAt: first.createdAt } : null;
};
