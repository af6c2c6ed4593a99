import { z } from "zod";
import { exploreUsage } from "../../../../billing/meters/explorer/explore-usage.ts";
import { listNewestEvents } from "../../../../billing/meters/explorer/list-newest-events.ts";
import { usageWindows } from "../../../../billing/rules/usage-windows.ts";
import { isTimeZone } from "../../../../kernel/time/time-zone.ts";
import { byMerchant, inputMerchant, memberProcedure, pageFields, readsReplica, router } from "../../../init.ts";
import { toExploredUsage, toMeteredEvent } from "./usage-views.ts";

const meter = z.string().max(100);
const instant = z.iso.datetime({ offset: true });

/** The merchant's usage down to its events (docs/spec/billing.md, Usage explorer). */
export const merchantUsageRouter = router({
  windows: memberProcedure("billing.read", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        meter,
        window: z.enum(usageWindows),
        timeZone: z.string().max(64).refine(isTimeZone, "must be an IANA time zone, for example Europe/Berlin"),
        from: instant,
        to: instant,
      }),
    )
    .query(async ({ ctx, input: { from, to, ...input } }) => {
      const query = { ...input, merchantId: ctx.merchantId, from: new Date(from), to: new Date(to) };
      return toExploredUsage(await exploreUsage(ctx.deps, query));
    }),

  events: memberProcedure("billing.read", inputMerchant)
    .use(readsReplica)
    .input(byMerchant.extend({ meter, from: instant, to: instant, ...pageFields(50) }))
    .query(async ({ ctx, input: { from, to, startingAfter = null, ...input } }) => {
      const period = { from: new Date(from), to: new Date(to) };
      const query = { ...input, merchantId: ctx.merchantId, period, startingAfter };
      const { events, hasMore } = await listNewestEvents(ctx.deps, query);
      return { events: events.map(toMeteredEvent), hasMore };
    }),
});
