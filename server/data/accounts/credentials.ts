import type { Db, Tx } from "../client.ts";

export const savePasswordHash = async (tx: Tx, id: string, passwordHash: string | null): Promise<void> => {
  await tx.account.update({ where: { id }, data: { passwordHash } });
};

/**
 * Marks the address as verified, because a link that was sent to it was used. An earlier time of verification is kept.
 */
export const markEmailVerified = async (tx: Tx, id: string, now: Date): Promise<void> => {
  await tx.account.updateMany({ where: { id, emailVerifiedAt: null }, data: { emailVerifiedAt: now } });
};

/**
 * Ends all live sessions of an account.
 * @param keptId the session that stays open.
 * @returns the ids of the ended sessions.
 */
export const revokeSessionsOfAccount = async (
  tx: Tx,
  { accountId, keptId, now }: { accountId: string; keptId: string | null; now: Date },
): Promise<string[]> => {
  const revoked = await tx.session.updateManyAndReturn({
    where: {
      accountId,
      revokedAt: null,
      expiresAt: { gt: now },
      ...(keptId === null ? {} : { id: { not: keptId } }),
    },
    data: { revokedAt: now },
    select: { id: true },
  });
  return revoked.map(({ id }) => id);
};

export const countSessionsOfAccount = (tx: Tx, accountId: string): Promise<number> =>
  tx.session.count({ where: { accountId } });

/** The proofs of identity that an account has. */
export const selectProofMethods = async (
  db: Db,
  id: string,
): Promise<{ hasPassword: boolean; passkeys: number; recoveryCodes: number }> => {
  const { passwordHash, _count } = await db.prisma.account.findUniqueOrThrow({
    where: { id },
    select: {
      passwordHash: true,
      _count: { select: { passkeys: true, recoveryCodes: { where: { usedAt: null } } } },
    },
  });
  return { hasPassword: passwordHash !== null, passkeys: _count.passkeys, recoveryCodes: _count.recoveryCodes };
};

export type AccountContact = {
  id: string;
  email: string;
  displayName: string;
  passwordHash: string | null;
  locale: string;
  timeZone: string;
  createdAt: Date;
};

export const getAccountContact = (tx: Tx, id: string): Promise<AccountContact> =>
  tx.account.findUniqueOrThrow({
    where: { id },
    select: {
      id: true,
      email: true,
      displayName: true,
      passwordHash: true,
      locale: true,
      timeZone: true,
      createdAt: true,
    },
  });

export type ProfileRow = { displayName: string; locale: string; timeZone: string; currency: string | null };

export const findProfile = (db: Db, id: string): Promise<ProfileRow & { email: string }> =>
  db.prisma.account.findUniqueOrThrow({
    where: { id },
    select: { displayName: true, locale: true, timeZone: true, currency: true, email: true },
  });

export const saveProfile = async (tx: Tx, id: string, profile: ProfileRow): Promise<void> => {
  await tx.account.update({ where: { id }, data: profile });
};
