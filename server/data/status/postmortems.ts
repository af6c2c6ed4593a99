import type { Db, Tx } from "../client.ts";

export type PostmortemText = { summary: string; timeline: string; causes: string };
export type PostmortemActionRow = {
  id: string;
  position: number;
  title: string;
  owner: string;
  dueOn: Date;
  doneAt: Date | null;
};

export type PostmortemRow = PostmortemText & { publishedAt: Date | null; author: string; updatedAt: Date };

/** The caller holds the incident's lock. Replaces all actions of the postmortem. */
export const savePostmortemRow = async (
  tx: Tx,
  { incidentId, row, actions }: { incidentId: string; row: PostmortemRow; actions: readonly PostmortemActionRow[] },
): Promise<void> => {
  await tx.postmortem.upsert({ where: { incidentId }, create: { ...row, incidentId }, update: row });
  await tx.postmortemAction.deleteMany({ where: { incidentId } });
  await tx.postmortemAction.createMany({ data: actions.map((action) => ({ ...action, incidentId })) });
};

/** At most one caller marks the action. @returns false if it was already done or belongs to another incident. */
export const markActionRow = async (
  tx: Tx,
  { incidentId, actionId, at }: { incidentId: string; actionId: string; at: Date },
): Promise<boolean> => {
  const open = { id: actionId, incidentId, doneAt: null };
  return (await tx.postmortemAction.updateMany({ where: open, data: { doneAt: at } })).count === 1;
};

/** Resolved critical incidents whose postmortem isn't published. */
export const findUnwrittenPostmortems = ({ prisma }: Pick<Db, "prisma">) =>
  prisma.incident.findMany({
    where: {
      impact: "critical",
      state: "resolved",
      OR: [{ postmortem: null }, { postmortem: { publishedAt: null } }],
    },
    orderBy: { resolvedAt: "asc" },
    include: { postmortem: { select: { publishedAt: true } } },
  });

/** At most one caller per incident and day gets true. @param day midnight UTC. */
export const markReminded = async (tx: Tx, incidentId: string, day: Date): Promise<boolean> => {
  const notYet = { OR: [{ postmortemRemindedOn: null }, { postmortemRemindedOn: { lt: day } }] };
  const { count } = await tx.incident.updateMany({
    where: { id: incidentId, ...notYet },
    data: { postmortemRemindedOn: day },
  });
  return count === 1;
};
