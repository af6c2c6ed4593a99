import { findWebhookDeliveryMerchant } from "../../data/webhooks/webhook-delivery-lists.ts";
import { findWebhookEndpointMerchant } from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";

/** For the one decision about who may do what: whose it is; null for an agent's, and where there is none. */
export const findEndpointMerchant = (deps: Pick<Deps, "db">, input: { endpointId: string }): Promise<string | null> =>
  findWebhookEndpointMerchant(deps.db.sql, input.endpointId);

export const findDeliveryMerchant = (deps: Pick<Deps, "db">, input: { deliveryId: string }): Promise<string | null> =>
  findWebhookDeliveryMerchant(deps.db.sql, input.deliveryId);
