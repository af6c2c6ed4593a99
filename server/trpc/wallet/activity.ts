import { z } from "zod";
import { findChargePayer } from "../../charges/approvals/payer-charge.ts";
import { getPayerCharge } from "../../charges/payers/get-payer-charge.ts";
import { listActivity, listActivityChoices } from "../../charges/payers/list-activity.ts";
import { activityKinds, activityShows } from "../../charges/payers/rules/activity-states.ts";
import { summarizeSpend } from "../../charges/payers/summarize-spend.ts";
import { getActivityFingerprint, watchActivity } from "../../charges/payers/watch-activity.ts";
import { accountProcedure, ofInput, ownedProcedure, pageFields, readsReplica } from "../init.ts";
import { toCharge, toChargeDetail, toEntry, toSpend } from "./views.ts";

const byCharge = z.object({ chargeId: z.string().max(64) });
const id = z.string().max(64).optional();
const instant = z.iso.datetime({ offset: true }).optional();

const chargePayer = ofInput(byCharge, findChargePayer);

/** The payer's charges and their totals. */
export const activityProcedures = {
  /** The newest charges, without refunds. */
  activity: accountProcedure("charge.list")
    .use(readsReplica)
    .input(z.object({ mandateId: id, show: z.enum(activityShows).optional(), from: instant, ...pageFields() }))
    .query(async ({ ctx, input: { from, ...input } }) => {
      const createdFrom = from === undefined ? null : new Date(from);
      const filter = { ...input, createdFrom, payerId: ctx.account.id, kind: "charge" } as const;
      const { entries, hasMore } = await listActivity(ctx.deps, filter);
      return { charges: entries.flatMap((entry) => (entry.kind === "charge" ? [toCharge(entry)] : [])), hasMore };
    }),

  /** Charges and refunds. `startingAfter` is the id of either. */
  activityEntries: accountProcedure("charge.list")
    .use(readsReplica)
    .input(
      z.object({
        kind: z.enum(activityKinds).optional(),
        mandateId: id,
        clientId: id,
        merchantId: id,
        show: z.enum(activityShows).optional(),
        from: instant,
        to: instant,
        ...pageFields(),
      }),
    )
    .query(async ({ ctx, input: { from, to, ...input } }) => {
      const { entries, hasMore } = await listActivity(ctx.deps, {
        ...input,
        payerId: ctx.account.id,
        createdFrom: from === undefined ? null : new Date(from),
        createdTo: to === undefined ? null : new Date(to),
      });
      return { entries: entries.map(toEntry), hasMore };
    }),

  /** The agents and merchants by which the activity can be filtered. */
  activityChoices: accountProcedure("charge.list")
    .use(readsReplica)
    .query(({ ctx }) => listActivityChoices(ctx.deps, { payerId: ctx.account.id })),

  charge: ownedProcedure("charge.read", chargePayer)
    .input(byCharge)
    .query(async ({ ctx, input }) =>
      toChargeDetail(await getPayerCharge(ctx.deps, { payerId: ctx.account.id, chargeId: input.chargeId })),
    ),

  /** The spend of the current month, in the payer's time zone. */
  spend: accountProcedure("charge.list")
    .use(readsReplica)
    .query(async ({ ctx }) =>
      toSpend(await summarizeSpend(ctx.deps, { payerId: ctx.account.id, timeZone: ctx.account.timeZone })),
    ),

  activityFingerprint: accountProcedure("charge.list")
    .use(readsReplica)
    .query(({ ctx }) => getActivityFingerprint(ctx.deps, ctx.account.id)),

  /** Server-sent events: a new value of `activityFingerprint` when it changes. */
  activityChanges: accountProcedure("charge.list")
    .input(z.object({ fingerprint: z.string().max(64) }))
    .subscription(({ ctx, input, signal }) =>
      watchActivity(ctx.deps, {
        payerId: ctx.account.id,
        sessionId: ctx.sessionId,
        fingerprint: input.fingerprint,
        signal,
      }),
    ),
};
