import { listInvoicesEndpoint } from "../../../../endpoints/billing/invoices.ts";
import { getBillingSubscriptionEndpoint } from "../../../../endpoints/billing/subscription.ts";
import { listUsageEventsEndpoint, readUsageEndpoint } from "../../../../endpoints/billing/usage.ts";
import { recordUsageEventsEndpoint } from "../../../../endpoints/billing/usage-events.ts";
import { captureChargeEndpoint, voidChargeEndpoint } from "../../../../endpoints/charges/act-on-charge.ts";
import { chargeEndpoint } from "../../../../endpoints/charges/charge.ts";
import { announceChargeEndpoint, listNoticesEndpoint } from "../../../../endpoints/charges/charge-notices.ts";
import { listDisputesEndpoint } from "../../../../endpoints/charges/disputes.ts";
import {
  getChargeEndpoint,
  listChargesEndpoint,
  listMandateChargesEndpoint,
} from "../../../../endpoints/charges/list-charges.ts";
import { createRefundEndpoint, getRefundEndpoint, listRefundsEndpoint } from "../../../../endpoints/charges/refunds.ts";
import { verifyMandateEndpoint } from "../../../../endpoints/charges/verify-mandate.ts";
import { mandateCredentialEndpoint } from "../../../../endpoints/credentials/mandate-credential.ts";
import { statusListEndpoint } from "../../../../endpoints/credentials/status-list.ts";
import { serve } from "../../../../http/serve.ts";
import { newId } from "../../../../kernel/ids.ts";
import { addSeconds } from "../../../../kernel/time/clock.ts";
import { type Act, type Acts, at } from "./act.fixture.ts";
import type { Actors } from "./world.fixture.ts";

const order = ({ world }: Actors) => ({
  mandate_id: world.mandateId,
  amount: 100,
  currency: "EUR",
  payer_presence: "in_session",
});

export const pay = (
  actors: Actors,
  { key, ...fields }: { key?: string; capture_method?: string; reference?: string } = {},
) =>
  actors.asMerchant(chargeEndpoint, {
    path: "/merchant_test/charge",
    scope: "charges.write",
    body: { ...order(actors), ...fields },
    ...(key === undefined ? {} : { key }),
  });

const actOn =
  (act: "capture" | "void"): Act =>
  async (actors) => {
    const { id } = await pay(actors, { capture_method: "manual" });
    const endpoint = act === "capture" ? captureChargeEndpoint : voidChargeEndpoint;
    const path = `/merchant_test/charges/${id}/${act}`;
    return () => actors.asMerchant(endpoint, { path, scope: "charges.write", body: {} });
  };

const refund = ({ asMerchant }: Actors, id: unknown) =>
  asMerchant(createRefundEndpoint, {
    path: `/merchant_test/charges/${id}/refunds`,
    scope: "refunds.write",
    body: { amount: 10, reason: "requested_by_customer" },
  });

const charges = (query: (charge: Record<string, unknown>) => string): Act => {
  return async (actors) => {
    const path = `/merchant_test/charges?${query(await pay(actors, { reference: "order-1" }))}`;
    return () => actors.asMerchant(listChargesEndpoint, { path });
  };
};

export const paymentActs: Acts = {
  "verify-mandate": at((actors) =>
    actors.asMerchant(verifyMandateEndpoint, {
      path: "/merchant_test/verify-mandate",
      scope: "mandates.verify",
      body: order(actors),
    }),
  ),
  charge: at((actors) => pay(actors)),
  "charge: authorization": at((actors) => pay(actors, { capture_method: "manual" })),
  "charge: the same key again": async (actors) => {
    const key = newId("req");
    await pay(actors, { key });
    return () => pay(actors, { key });
  },
  capture: actOn("capture"),
  void: actOn("void"),
  refund: async (actors) => {
    const { id } = await pay(actors);
    return () => refund(actors, id);
  },
  "charge: read": async (actors) => {
    const { id } = await pay(actors);
    return () => actors.asMerchant(getChargeEndpoint, { path: `/merchant_test/charges/${id}` });
  },
  "charges: first page": charges(() => "limit=20"),
  "charges: page by cursor": charges(({ id }) => `limit=20&starting_after=${id}`),
  "charges: previous page": charges(({ id }) => `limit=20&ending_before=${id}`),
  "charges: by status": charges(() => "limit=20&status=succeeded"),
  "charges: by mandate": charges(({ mandate_id }) => `limit=20&mandate_id=${mandate_id}`),
  "charges: by reference": charges(() => "limit=20&reference=order-1"),
  "charges of a mandate, for its agent": at(({ asAgent, world }) =>
    asAgent(listMandateChargesEndpoint, { path: `/oauth/mandates/${world.mandateId}/charges` }),
  ),
  "refund: read": async (actors) => {
    const { id } = await refund(actors, (await pay(actors))["id"]);
    return () => actors.asMerchant(getRefundEndpoint, { path: `/merchant_test/refunds/${id}` });
  },
  "refunds of a charge": async (actors) => {
    const { id } = await pay(actors);
    await refund(actors, id);
    return () =>
      actors.asMerchant(listRefundsEndpoint, { path: `/merchant_test/charges/${id}/refunds`, scope: "refunds.write" });
  },
  "disputes: first page": at(({ asMerchant }) => asMerchant(listDisputesEndpoint, { path: "/merchant_test/disputes" })),
  "notice of a charge": at((actors) =>
    actors.asMerchant(announceChargeEndpoint, {
      path: "/merchant_test/charge-notices",
      scope: "charges.write",
      body: {
        mandate_id: actors.world.mandateId,
        amount: 100,
        currency: "EUR",
        due_at: addSeconds(actors.deps.clock.now(), 2 * 24 * 3600).toISOString(),
      },
    }),
  ),
  "notices: first page": at(({ asMerchant }) =>
    asMerchant(listNoticesEndpoint, { path: "/merchant_test/charge-notices" }),
  ),
  "credential of a mandate": at(({ asAgent, world }) =>
    asAgent(mandateCredentialEndpoint, { path: `/oauth/mandates/${world.mandateId}/credential` }),
  ),
  "status list": at(({ deps }) =>
    serve(statusListEndpoint)(new Request(`${deps.config.baseUrl}/oauth/status-list/revocation-1`)),
  ),
};

const billing = { resource: "billing", scope: "billing.read" } as const;
const monthOf = ({ deps }: Actors): string => {
  const now = deps.clock.now();
  return `from=${addSeconds(now, -20 * 24 * 3600).toISOString()}&to=${now.toISOString()}`;
};

export const billingActs: Acts = {
  "usage events: record": at(({ asMerchant, deps }) =>
    asMerchant(recordUsageEventsEndpoint, {
      ...billing,
      path: "/billing/usage-events",
      scope: "billing.write",
      body: {
        events: [1, 2, 3].map((quantity) => ({
          id: newId("req"),
          source: "api",
          meter: "sms",
          quantity,
          time: deps.clock.now().toISOString(),
        })),
      },
    }),
  ),
  "usage: sums": at((actors) =>
    actors.asMerchant(readUsageEndpoint, { ...billing, path: `/billing/usage?${monthOf(actors)}` }),
  ),
  "usage events: first page": at((actors) =>
    actors.asMerchant(listUsageEventsEndpoint, { ...billing, path: `/billing/usage/events?${monthOf(actors)}` }),
  ),
  subscription: at(({ asMerchant }) =>
    asMerchant(getBillingSubscriptionEndpoint, { ...billing, path: "/billing/subscription" }),
  ),
  "invoices: first page": at(({ asMerchant }) =>
    asMerchant(listInvoicesEndpoint, { ...billing, path: "/billing/invoices" }),
  ),
};
