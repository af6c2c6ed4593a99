import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import type { MerchantRole } from "../accounts/authorize.ts";
import { appendEvent, type EventType } from "../data/events.ts";
import type { Deps } from "../deps.ts";
import { dispatchEvents } from "../jobs/dispatch-events.ts";
import { createMerchantEndpoint } from "../webhooks/create-endpoint.ts";
import { findDeliveries } from "../webhooks/find-deliveries.ts";

export type MerchantTenant = { merchantId: string; endpointId: string; deliveryId: string };

/** A member of a merchant. @returns the account's id. */
export const makeMember = async (deps: Deps, merchantId: string, role: MerchantRole): Promise<string> => {
  const { id: accountId } = await makePayer(deps);
  await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role, createdAt: deps.clock.now() } });
  return accountId;
};

/** A merchant with an endpoint and one delivery to it. */
export const makeMerchantTenant = async (deps: Deps): Promise<MerchantTenant> => {
  const { id: merchantId } = await makeMerchant(deps);
  const by = { actor: { kind: "system", id: "test" }, requestId: "req_test" } as const;
  const { endpointId } = await createMerchantEndpoint(deps, { merchantId, url: "https://shop.example/hooks", ...by });
  const event = { type: "invoice.paid" as EventType, objectId: `inv_${merchantId}`, at: deps.clock.now() };
  await appendEvent(deps.db.sql, { ...event, data: { merchant_id: merchantId } });
  await dispatchEvents(deps);
  const { deliveries } = await findDeliveries(deps, { ownerId: merchantId, limit: 1 });
  const deliveryId = deliveries[0]?.id;
  if (deliveryId === undefined) throw new Error("nothing was handed over");
  return { merchantId, endpointId, deliveryId };
};

const url = "https://shop.example/other";

/** What each procedure of merchants' members is called with. */
export const memberInputs: Readonly<Record<string, (tenant: MerchantTenant) => unknown>> = {
  "webhooks.endpoints": ({ merchantId }) => ({ merchantId }),
  "webhooks.endpoint": ({ endpointId }) => ({ endpointId }),
  "webhooks.create": ({ merchantId }) => ({ merchantId, url, eventTypes: [] }),
  "webhooks.update": ({ endpointId }) => ({ endpointId, url, eventTypes: ["charge.succeeded"] }),
  "webhooks.switch": ({ endpointId }) => ({ endpointId, isOn: true }),
  "webhooks.delete": ({ endpointId }) => ({ endpointId }),
  "webhooks.rotateSecret": ({ endpointId }) => ({ endpointId }),
  "webhooks.deliveries": ({ merchantId }) => ({ merchantId }),
  "webhooks.delivery": ({ deliveryId }) => ({ deliveryId }),
  "webhooks.replay": ({ deliveryId }) => ({ deliveryId }),
};
