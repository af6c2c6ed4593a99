import { findWebhookDeliveryMerchant } from "../../data/webhooks/webhook-delivery-lists.ts";
import { findWebhookEndpointMerchant } from "../../data/webhooks/webhook-endpoints.ts";
import type { Deps } from "../../deps/deps.ts";

/** The merchant that owns the endpoint, for access control; null for an agent's endpoint and for an unknown one. */
export const findEndpointMerchant = (deps: Pick<Deps, "db">, input: { endpointId: string }): Promise<string | null> =>
  findWebhookEndpointMerchant(deps.db.sql, input.endpointId);

/** The merchant that owns the delivery's endpoint; null as for `findEndpointMerchant`. */
export const findDeliveryMerchant = (deps: Pick<Deps, "db">, input: { deliveryId: string }): Promise<string | null> =>
  findWebhookDeliveryMerchant(deps.db.sql, input.deliveryId);
