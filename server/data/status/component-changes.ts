import type { Tx } from "../client.ts";

export type ComponentState = "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance" | "unknown";

/** What operators say of components for one incident or maintenance, from `at` on. */
export type OperatorChanges = {
  subject: string;
  at: Date;
  reason: string;
  actor: string;
  states: readonly { id: string; component: string; state: ComponentState }[];
};

/** The caller holds the lock of the incident or maintenance. */
export const insertOperatorChanges = async (tx: Tx, { states, ...word }: OperatorChanges): Promise<void> => {
  if (states.length === 0) return;
  await tx.componentChange.createMany({ data: states.map((one) => ({ ...word, ...one, source: "operator" })) });
};

/** Oldest first: of each component the last one holds. */
export const listOperatorChanges = (
  { prisma }: { prisma: Tx | Omit<Tx, "sql"> },
  subject: string,
): Promise<{ component: string; state: ComponentState; at: Date }[]> =>
  prisma.componentChange.findMany({
    where: { source: "operator", subject },
    orderBy: [{ at: "asc" }, { id: "asc" }],
    select: { component: true, state: true, at: true },
  });
