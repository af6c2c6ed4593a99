import type { Tx } from "../client.ts";

export type ComponentState = "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance" | "unknown";

/** What operators say of components for one incident or maintenance, from `at` on. */
export type OperatorWord = {
  subject: string;
  at: Date;
  reason: string;
  actor: string;
  said: readonly { id: string; component: string; state: ComponentState }[];
};

/** The caller holds the lock of the incident or maintenance. */
export const insertOperatorWord = async (tx: Tx, { said, ...word }: OperatorWord): Promise<void> => {
  if (said.length === 0) return;
  await tx.componentChange.createMany({ data: said.map((one) => ({ ...word, ...one, source: "operator" })) });
};

/** Oldest first: of each component the last one holds. */
export const listOperatorWords = (
  { prisma }: { prisma: Tx | Omit<Tx, "sql"> },
  subject: string,
): Promise<{ component: string; state: ComponentState; at: Date }[]> =>
  prisma.componentChange.findMany({
    where: { source: "operator", subject },
    orderBy: [{ at: "asc" }, { id: "asc" }],
    select: { component: true, state: true, at: true },
  });
