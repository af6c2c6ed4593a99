import { z } from "zod";
import { cancelMaintenance } from "../../status/maintenance/cancel-maintenance.ts";
import { completeMaintenance } from "../../status/maintenance/complete-maintenance.ts";
import { getMaintenance } from "../../status/maintenance/get-maintenance.ts";
import { listMaintenances } from "../../status/maintenance/list-maintenances.ts";
import { scheduleMaintenance } from "../../status/maintenance/schedule-maintenance.ts";
import { startMaintenance } from "../../status/maintenance/start-maintenance.ts";
import { updateMaintenance } from "../../status/maintenance/update-maintenance.ts";
import { components } from "../../status/rules/components.ts";
import { maintenanceStates } from "../../status/rules/maintenance/maintenance-state.ts";
import { accountProcedure, operatorProcedure, pageFields, router } from "../init.ts";
import { idField, instant, listSearch, operatorOf, publicText, title } from "./operator-fields.ts";
import { toMaintenance, toMaintenanceDetail } from "./operator-status-views.ts";

const byMaintenance = z.object({ maintenanceId: z.string().max(64) });
/** If the same `updateId` is sent twice, one update is posted. */
const update = byMaintenance.extend({ updateId: idField("upd"), text: publicText });
const affected = z
  .array(z.enum(components.map(({ key }) => key)))
  .min(1, "Choose at least one component.")
  .max(components.length)
  .transform((keys) => [...new Set(keys)]);

/** Announced maintenance (docs/spec/status.md, Maintenance). */
export const operatorMaintenanceRouter = router({
  list: accountProcedure("maintenance.list")
    .input(z.object({ search: listSearch, state: z.enum(maintenanceStates).optional(), ...pageFields() }).prefault({}))
    .query(async ({ ctx, input }) => {
      const { maintenances, hasMore } = await listMaintenances(ctx.deps, input);
      return { maintenances: maintenances.map(toMaintenance), hasMore };
    }),

  get: operatorProcedure("maintenance.read")
    .input(byMaintenance)
    .query(async ({ ctx, input }) => toMaintenanceDetail(await getMaintenance(ctx.deps, input))),

  schedule: accountProcedure("maintenance.schedule")
    .input(update.extend({ maintenanceId: idField("mtn"), title, components: affected, from: instant, to: instant }))
    .mutation(({ ctx, input }) => scheduleMaintenance(ctx.deps, { ...input, ...operatorOf(ctx) })),

  start: operatorProcedure("maintenance.publish")
    .input(update)
    .mutation(({ ctx, input }) => startMaintenance(ctx.deps, { ...input, ...operatorOf(ctx) })),

  complete: operatorProcedure("maintenance.publish")
    .input(update)
    .mutation(({ ctx, input }) => completeMaintenance(ctx.deps, { ...input, ...operatorOf(ctx) })),

  cancel: operatorProcedure("maintenance.publish")
    .input(update)
    .mutation(({ ctx, input }) => cancelMaintenance(ctx.deps, { ...input, ...operatorOf(ctx) })),

  update: operatorProcedure("maintenance.publish")
    .input(update)
    .mutation(({ ctx, input }) => updateMaintenance(ctx.deps, { ...input, ...operatorOf(ctx) })),
});
