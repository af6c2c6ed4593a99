import { z } from "zod";
import { loadBoard } from "../../status/board/load-board.ts";
import { confirmIncident } from "../../status/incidents/confirm-incident.ts";
import { dismissIncident } from "../../status/incidents/dismiss-incident.ts";
import { getIncident } from "../../status/incidents/get-incident.ts";
import { listIncidents } from "../../status/incidents/list-incidents.ts";
import { openIncident } from "../../status/incidents/open-incident.ts";
import { resolveIncident } from "../../status/incidents/resolve-incident.ts";
import { updateIncident } from "../../status/incidents/update-incident.ts";
import { completeAction } from "../../status/postmortems/complete-action.ts";
import { writePostmortem } from "../../status/postmortems/write-postmortem.ts";
import { components } from "../../status/rules/components.ts";
import { incidentStates, openIncidentStates, operatorStates } from "../../status/rules/incidents/incident-state.ts";
import { withStartedMaintenances } from "../../status/rules/maintenance/started-maintenances.ts";
import { accountProcedure, operatorProcedure, pageFields, router } from "../init.ts";
import { toBudgets } from "./operator-budget-views.ts";
import { day, idField, instant, listSearch, operatorOf, publicText, reason, title } from "./operator-fields.ts";
import { toComponentChoices, toIncident, toIncidentDetail } from "./operator-status-views.ts";

const component = z.enum(components.map(({ key }) => key));
const impact = z.enum(["none", "minor", "major", "critical"]);
const state = z.enum(openIncidentStates);
const componentUpdates = z
  .array(z.object({ component, state: z.enum(operatorStates) }))
  .max(components.length)
  .refine(
    (updates) => new Set(updates.map((one) => one.component)).size === updates.length,
    "Name each component once.",
  );

const byIncident = z.object({ incidentId: z.string().max(64) });
/** If the same `updateId` is sent twice, one update is posted. */
const update = byIncident.extend({ updateId: idField("upd"), text: publicText });

const postmortemText = z.string().trim().max(20_000);
const action = z.object({
  id: z.string().max(64).nullable(),
  title: z.string().trim().min(3).max(300),
  owner: z.string().trim().min(2).max(100),
  dueOn: day,
});

const actions = z
  .array(action)
  .max(20)
  .refine((all) => {
    const known = all.flatMap(({ id }) => id ?? []);
    return new Set(known).size === known.length;
  }, "An action is listed twice. Remove one.");

/** Incidents and their postmortems, for operators (docs/spec/status.md, Incidents). */
export const operatorStatusRouter = router({
  budgets: accountProcedure("error_budget.read").query(async ({ ctx: { deps } }) =>
    toBudgets({
      board: withStartedMaintenances(await loadBoard(deps), deps.clock.now()),
      now: deps.clock.now(),
      statusUrl: deps.config.statusUrl,
    }),
  ),

  incidents: accountProcedure("incident.list")
    .input(z.object({ search: listSearch, state: z.enum(incidentStates).optional(), ...pageFields() }).prefault({}))
    .query(async ({ ctx, input }) => {
      const { incidents, hasMore } = await listIncidents(ctx.deps, input);
      return { incidents: incidents.map(toIncident), hasMore };
    }),

  incident: operatorProcedure("incident.read")
    .input(byIncident)
    .query(async ({ ctx, input }) => toIncidentDetail(await getIncident(ctx.deps, input))),

  components: accountProcedure("incident.list").query(async ({ ctx: { deps } }) =>
    toComponentChoices(await loadBoard(deps), deps.clock.now()),
  ),

  openIncident: accountProcedure("incident.open")
    .input(
      update.extend({
        incidentId: idField("inc"),
        title,
        impact,
        state,
        components: componentUpdates,
        startedAt: instant.nullable(),
      }),
    )
    .mutation(({ ctx, input }) => openIncident(ctx.deps, { ...input, ...operatorOf(ctx) })),

  confirmIncident: operatorProcedure("incident.publish")
    .input(update.extend({ title, impact, state, components: componentUpdates }))
    .mutation(({ ctx, input }) => confirmIncident(ctx.deps, { ...input, ...operatorOf(ctx) })),

  dismissIncident: operatorProcedure("incident.publish")
    .input(update)
    .mutation(({ ctx, input }) => dismissIncident(ctx.deps, { ...input, ...operatorOf(ctx) })),

  updateIncident: operatorProcedure("incident.publish")
    .input(update.extend({ state, impact: impact.nullable(), components: componentUpdates }))
    .mutation(({ ctx, input }) => updateIncident(ctx.deps, { ...input, ...operatorOf(ctx) })),

  resolveIncident: operatorProcedure("incident.publish")
    .input(update)
    .mutation(({ ctx, input }) => resolveIncident(ctx.deps, { ...input, ...operatorOf(ctx) })),

  writePostmortem: operatorProcedure("postmortem.write")
    .input(
      byIncident.extend({
        summary: postmortemText,
        timeline: postmortemText,
        causes: postmortemText,
        actions,
        seen: instant.nullable(),
        isPublished: z.boolean(),
        reason,
      }),
    )
    .mutation(({ ctx, input }) => writePostmortem(ctx.deps, { ...input, ...operatorOf(ctx) })),

  completeAction: operatorProcedure("postmortem.write")
    .input(byIncident.extend({ actionId: z.string().max(64), reason }))
    .mutation(({ ctx, input }) => completeAction(ctx.deps, { ...input, ...operatorOf(ctx) })),
});
