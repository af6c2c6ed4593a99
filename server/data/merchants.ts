import { type Db, type Sql, statement, type Tx } from "./client.ts";

/** @returns display names of the registered merchants among `ids`; unknown ids are left out. */
export const listMerchantNames = async (
  db: Pick<Db, "prisma">,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.prisma.merchant.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, displayName: true },
  });
  return new Map(rows.map((row) => [row.id, row.displayName]));
};

export type NewMerchant = {
  id: string;
  displayName: string;
  legalName: string;
  mcc: string;
  processor: string;
  processorAccount: string;
  /** of the status page's trials */
  isProbe?: boolean;
  createdAt: Date;
};

export const insertMerchant = async (tx: Tx, merchant: NewMerchant): Promise<void> => {
  await tx.merchant.create({ data: merchant });
};

/** By name, the first ones; the status page's trials have one that is nobody's business. */
export const listMerchants = (db: Pick<Db, "prisma">, limit: number): Promise<{ id: string; displayName: string }[]> =>
  db.prisma.merchant.findMany({
    where: { isProbe: false },
    select: { id: true, displayName: true },
    orderBy: { displayName: "asc" },
    take: limit,
  });

const suspended = statement<{ id: string }>(
  "find_suspended_merchant",
  "SELECT id FROM merchant WHERE id = $1 AND suspended_at IS NOT NULL",
);

export const isMerchantSuspended = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.query(suspended, [id])).length === 1;

type Role = "owner" | "admin" | "developer" | "viewer";

export const findMemberRole = async (
  db: Pick<Db, "prisma">,
  { merchantId, accountId }: { merchantId: string; accountId: string },
): Promise<Role | null> => {
  const where = { merchantId_accountId: { merchantId, accountId } };
  return (await db.prisma.merchantMember.findUnique({ where, select: { role: true } }))?.role ?? null;
};

/** By the merchant's name. */
export const listMembershipsOfAccount = async (
  db: Pick<Db, "prisma">,
  accountId: string,
): Promise<{ merchantId: string; name: string; role: Role }[]> => {
  const rows = await db.prisma.merchantMember.findMany({
    where: { accountId },
    select: { merchantId: true, role: true, merchant: { select: { displayName: true } } },
    orderBy: [{ merchant: { displayName: "asc" } }, { merchantId: "asc" }],
    take: 100,
  });
  return rows.map(({ merchantId, role, merchant }) => ({ merchantId, name: merchant.displayName, role }));
};
