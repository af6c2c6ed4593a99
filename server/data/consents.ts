import type { Tx } from "./client.ts";

export type NewConsent = {
  id: string;
  grantId: string;
  payerId: string;
  clientId: string;
  sessionId: string;
  decision: string;
  locale: string;
  text: string;
  textHash: string;
  createdAt: Date;
};

export const insertConsent = async (tx: Tx, consent: NewConsent): Promise<void> => {
  await tx.consent.create({ data: consent });
};
