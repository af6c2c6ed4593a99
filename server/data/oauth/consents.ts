import type { Db, Tx } from "../client.ts";

export type ConsentRow = {
  id: string;
  grantId: string | null;
  payerId: string;
  clientId: string;
  sessionId: string;
  decision: string;
  locale: string;
  text: string;
  textHash: string;
  createdAt: Date;
};

export const insertConsent = async (tx: Tx, consent: ConsentRow): Promise<void> => {
  await tx.consent.create({ data: consent });
};

export const findConsentRow = (db: Pick<Db, "prisma">, id: string): Promise<ConsentRow | null> =>
  db.prisma.consent.findUnique({ where: { id } });
