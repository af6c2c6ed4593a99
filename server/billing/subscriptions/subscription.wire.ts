import { z } from "zod";
import { planIdSchema } from "../rules/plans/plan.wire.ts";
import { type SubscriptionView, shownStatus } from "./subscription-view.ts";

const planSchema = z.object({ id: z.string(), version: z.int() });

export const subscriptionSchema = z.object({
  id: z.string(),
  plan: planSchema,
  status: z.enum(["trialing", "active", "past_due", "suspended", "cancelled"]),
  anchor_day: z.int().min(1).max(31).describe("Day of the month on which periods start; earlier in shorter months"),
  time_zone: z.string().describe("IANA time zone of the periods; fixed when the subscription starts"),
  currencies: z
    .array(z.string())
    .describe("Currencies that the plan prices; the first one is the currency of your fees"),
  period: z.object({ from: z.string(), to: z.string() }).describe("The current period; excludes `to`"),
  trial_ends_at: z.string().nullable(),
  cancel_at: z.string().nullable(),
  pending_change: z
    .object({ plan: planSchema, effective_at: z.string() })
    .nullable()
    .describe("The plan that follows at the end of the current period"),
});

/** An offset can move a time to the year 10000, which RFC 3339 can't express. */
const instant = z.iso
  .datetime({ offset: true, error: "must be an RFC 3339 date and time" })
  .refine((text) => new Date(text).getUTCFullYear() < 10_000, { error: "must be before the year 10000" });

export const subscriptionChangeSchema = z.strictObject({
  plan: planIdSchema.describe("Id of a plan of GET /billing/plans, or of your current plan"),
  version: z.int().min(1).max(2_147_483_647).optional().describe("Default: the newest version in effect"),
  effective: z.enum(["now", "period_end"]),
  cancel_at: instant
    .nullable()
    .optional()
    .describe("When the subscription ends; null removes an end that you set before"),
});

const toPlan = (id: string, version: number) => ({ id, version });

export const toSubscriptionObject = (view: SubscriptionView): z.infer<typeof subscriptionSchema> => {
  const { row, period, currencies, now } = view;
  return {
    id: row.id,
    plan: toPlan(row.planId, row.planVersion),
    status: shownStatus(row, now),
    anchor_day: Number(row.anchorDate.slice(8)),
    time_zone: row.timeZone,
    currencies: [...currencies],
    period: { from: period.from.toISOString(), to: period.to.toISOString() },
    trial_ends_at: row.trialEndsAt?.toISOString() ?? null,
    cancel_at: row.cancelAt?.toISOString() ?? null,
    pending_change:
      row.pendingPlanId === null || row.pendingPlanVersion === null || row.pendingAt === null
        ? null
        : { plan: toPlan(row.pendingPlanId, row.pendingPlanVersion), effective_at: row.pendingAt.toISOString() },
  };
};
