import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { readUsage } from "../../../../billing/meters/read-usage.ts";
import { reportSms } from "../../../../billing/subscriptions/subscription.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../../../charges/charge/charge-setup.fixture.ts";
import { insertMeteredCall } from "../../../../data/billing/meters/metering.ts";
import { newId } from "../../../../kernel/ids.ts";
import { addSeconds } from "../../../../kernel/time/clock.ts";
import { dateId } from "../../../../kernel/time/dated.ts";
import { callerOf } from "../../../caller.fixture.ts";
import { makeMember } from "../../merchant-tenant.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const apiOf = async (merchantId: string) => callerOf(deps, await makeMember(deps, merchantId, "viewer")).merchantUsage;

const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

/** From 24 hours before now to one hour after now. */
const rangeOf = () => ({
  from: addSeconds(deps.clock.now(), -24 * 3_600).toISOString(),
  to: addSeconds(deps.clock.now(), 3_600).toISOString(),
});

describe("usage explorer (docs/spec/billing.md, Usage explorer)", () => {
  test("the windows of a merchant's own meter follow the time zone, and their sum is the usage", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const api = await apiOf(merchantId);
    for (const hours of [-20, -20.4, -7, -0.2]) {
      const time = addSeconds(deps.clock.now(), Math.round(hours * 3_600));
      await reportSms(deps, merchantId, { quantity: 3, time });
    }
    const query = { merchantId, meter: "own:sms", timeZone: "Asia/Kolkata", ...rangeOf() };
    const usage = await api.windows({ ...query, window: "hour" });
    expect(usage.windows.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(12);
    expect(usage.ownMeters).toEqual(["own:sms"]);
    const period = { from: new Date(query.from), to: new Date(query.to) };
    const { windows } = await readUsage(deps, {
      ...period,
      merchantId,
      meter: "sms",
      timeZone: "Asia/Kolkata",
      window: "hour",
    });
    const expected = windows?.map(({ period: { from }, ownMeters }) => [
      from.toISOString(),
      String(ownMeters[0]?.quantity ?? 0),
    ]);
    expect(usage.windows.map(({ from, quantity }) => [from, quantity])).toEqual(expected);
  });

  test("charges have amounts and links to their payments; a mandate with two charges counts as active once", async () => {
    const { merchant, charge } = await makeChargeableMandate(deps);
    const ids = [];
    for (let index = 0; index < 2; index += 1) {
      ids.push((await charge()).chargeId);
      deps.clock.advance(1);
    }
    const api = await apiOf(merchant.id);
    const query = { merchantId: merchant.id, timeZone: "UTC", window: "month" as const, ...rangeOf() };
    const charges = await api.windows({ ...query, meter: "successful_charges" });
    const used = charges.windows.filter(({ quantity }) => quantity !== "0");
    expect(used.map(({ quantity, amounts }) => [quantity, amounts.map(({ currency }) => currency)])).toEqual([
      ["2", ["EUR"]],
    ]);
    const mandates = await api.windows({ ...query, meter: "active_mandates" });
    expect(mandates.windows.filter(({ quantity }) => quantity !== "0").map(({ quantity }) => quantity)).toEqual(["1"]);
    const { from, to } = query;
    const { events } = await api.events({ merchantId: merchant.id, meter: "active_mandates", from, to });
    expect(events.map(({ source }) => source)).toEqual(
      ids.toReversed().map((id) => ({ label: id, href: `/merchant/payments/${id}` })),
    );
  });

  test("events have pages, newest first, and each event has the object that it counts", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const call = { merchantId, meter: "webhooks_delivered" as const, clientId: null };
    for (const subject of ["whd_1", "whd_2", "whd_3"]) {
      deps.clock.advance(1);
      const at = deps.clock.now();
      await insertMeteredCall(deps.db.sql, { ...call, id: dateId(newId("mev"), at), at, subject });
    }
    const api = await apiOf(merchantId);
    const query = { merchantId, meter: "webhooks_delivered", ...rangeOf() };
    const first = await api.events({ ...query, limit: 2 });
    expect(first.events.map(({ source }) => source.href)).toEqual(
      ["whd_3", "whd_2"].map((id) => `/merchant/webhooks/deliveries/${id}`),
    );
    expect(first.hasMore).toBe(true);
    const rest = await api.events({ ...query, limit: 2, startingAfter: first.events[1]?.id });
    expect([rest.events.map(({ source }) => source.label), rest.hasMore]).toEqual([["whd_1"], false]);
    const { id: otherId } = await makeMerchant(deps);
    const other = await apiOf(otherId);
    const stolen = { ...query, merchantId: otherId, startingAfter: first.events[1]?.id };
    expect(await refusalOf(other.events(stolen))).toBe("BAD_REQUEST");
    expect((await other.events({ ...query, merchantId: otherId })).events).toEqual([]);
  });

  test("an unknown meter, a wrong time zone and too many hours are refused", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const api = await apiOf(merchantId);
    const query = { merchantId, meter: "own:sms", timeZone: "UTC", window: "hour" as const, ...rangeOf() };
    expect(await refusalOf(api.windows({ ...query, meter: "gold" }))).toBe("BAD_REQUEST");
    expect(await refusalOf(api.windows({ ...query, timeZone: "Moon/Base" }))).toBe("BAD_REQUEST");
    expect(await refusalOf(api.windows({ ...query, from: "2026-01-01T00:00:00Z" }))).toBe("BAD_REQUEST");
    expect(await refusalOf(api.windows({ ...query, window: "day" }))).toBe("done");
  });
});
