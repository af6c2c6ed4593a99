import {
  findWebhookDelivery,
  listWebhookAttempts,
  listWebhookDeliveries,
  type WebhookAttemptRow,
  type WebhookDeliveryRow,
} from "../../data/webhooks/webhook-deliveries.ts";
import type { Deps } from "../../deps/deps.ts";
import { getEndpoint } from "../endpoints/find-endpoint.ts";

export type DeliveryView = WebhookDeliveryRow & { tries: WebhookAttemptRow[] };

type Input = {
  endpointId: string;
  ownerId: string;
  /** the last delivery of the previous page */
  startingAfter?: string;
  limit: number;
};

/**
 * Deliveries, newest first, each with all its attempts.
 * @throws DomainError not_found, also for another owner's endpoint.
 */
export const listDeliveries = async (deps: Pick<Deps, "db">, input: Input): Promise<DeliveryView[]> => {
  const { sql } = deps.db;
  const endpoint = await getEndpoint(deps, input);
  const before = input.startingAfter === undefined ? null : await findWebhookDelivery(sql, input.startingAfter);
  const deliveries = await listWebhookDeliveries(sql, { endpointId: endpoint.id, before, limit: input.limit });
  return Promise.all(
    deliveries.map(async (delivery) => ({ ...delivery, tries: await listWebhookAttempts(sql, delivery) })),
  );
};
