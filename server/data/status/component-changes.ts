import type { ComponentState } from "../../status/rules/board.ts";
import type { Tx } from "../client.ts";

/** The states that an operator sets for components, on behalf of one incident or maintenance. */
export type OperatorChanges = {
  /** id of the incident or maintenance */
  subject: string;
  at: Date;
  reason: string;
  actor: string;
  states: readonly { id: string; component: string; state: ComponentState }[];
};

/** The caller holds the lock of the incident or maintenance. */
export const insertOperatorChanges = async (tx: Tx, { states, ...change }: OperatorChanges): Promise<void> => {
  if (states.length === 0) return;
  await tx.componentChange.createMany({ data: states.map((one) => ({ ...change, ...one, source: "operator" })) });
};

/** Oldest first: the last change of a component is its current state. */
export const listOperatorChanges = (
  { prisma }: { prisma: Tx | Omit<Tx, "sql"> },
  subject: string,
): Promise<{ component: string; state: ComponentState; at: Date }[]> =>
  prisma.componentChange.findMany({
    where: { source: "operator", subject },
    orderBy: [{ at: "asc" }, { id: "asc" }],
    select: { component: true, state: true, at: true },
  });
