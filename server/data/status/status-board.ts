import type { ComponentChange } from "../../status/rules/board.ts";
import { type Db, statement } from "../client.ts";
import { withIncidentDetails } from "./incidents.ts";

/** Rows may name a component that no longer exists. */
type ComponentChangeRow = Omit<ComponentChange, "component"> & { component: string };

const listChanges = statement<ComponentChangeRow>(
  "list_component_changes",
  `SELECT id, component, source, subject, state, at, reason, actor FROM (
     SELECT DISTINCT ON (component, source, subject) * FROM component_change
      WHERE at < $1::timestamptz ORDER BY component, source, subject, at DESC, id DESC
   ) before
   UNION ALL
   SELECT id, component, source, subject, state, at, reason, actor FROM component_change WHERE at >= $1::timestamptz
   ORDER BY at, id`,
);

/**
 * Everything that the status page shows from `since` on, read in one snapshot. Each track starts with its
 * last change before `since`.
 */
export const readStatusBoard = (db: Db, { since, noticesSince }: { since: Date; noticesSince: Date }) =>
  db.transaction(async (tx) => {
    await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`;
    return {
      changes: await tx.sql.query(listChanges, [since]),
      heartbeats: await tx.componentHeartbeat.findMany({ orderBy: { component: "asc" } }),
      days: await tx.componentDay.findMany({
        where: { day: { gte: since } },
        orderBy: [{ day: "asc" }, { component: "asc" }],
      }),
      incidents: await withIncidentDetails(
        { prisma: tx },
        await tx.incident.findMany({
          where: { startedAt: { gte: since } },
          orderBy: [{ startedAt: "desc" }, { id: "desc" }],
        }),
      ),
      maintenances: await tx.maintenance.findMany({
        where: { scheduledFrom: { gte: since } },
        orderBy: [{ scheduledFrom: "desc" }, { id: "desc" }],
        include: { updates: { orderBy: { sequence: "asc" } } },
      }),
      alerts: await tx.statusAlert.findMany({
        where: { startedAt: { gte: since } },
        orderBy: [{ startedAt: "desc" }, { id: "desc" }],
      }),
      subscribers: await tx.statusSubscriber.findMany({
        where: { confirmedAt: { not: null } },
        omit: { confirmHash: true, confirmExpiresAt: true, createdAt: true },
        orderBy: { id: "asc" },
      }),
      notices: await tx.statusNotice.findMany({ where: { createdAt: { gte: noticesSince } } }),
    };
  });
