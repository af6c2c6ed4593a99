import type { Tx } from "../client.ts";

export const setAccountLocale = async (
  tx: Tx,
  { accountId, locale }: { accountId: string; locale: string },
): Promise<void> => {
  await tx.account.update({ where: { id: accountId }, data: { locale } });
};
