import { epochSeconds } from "../../kernel/time/clock.ts";
import type { DeliveryDetail, findDeliveries } from "../../webhooks/deliveries/find-deliveries.ts";
import type { SigningKeyView, WebhookEndpointRow } from "../../webhooks/endpoints/find-endpoint.ts";

/** Plain JSON for the pages, with times as RFC 3339 texts, without secrets and signatures. */
export const toEndpoint = (endpoint: WebhookEndpointRow) => ({
  id: endpoint.id,
  url: endpoint.url,
  eventTypes: endpoint.eventTypes,
  createdAt: endpoint.createdAt.toISOString(),
  disabledAt: endpoint.disabledAt?.toISOString() ?? null,
  disabledReason: endpoint.disabledReason,
  succeededAt: endpoint.succeededAt?.toISOString() ?? null,
});

export const toEndpointDetail = (endpoint: WebhookEndpointRow & { keys: SigningKeyView[] }) => ({
  ...toEndpoint(endpoint),
  keys: endpoint.keys.map(({ publicKey, createdAt, expiresAt }) => ({
    publicKey,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  })),
});

type Listed = Awaited<ReturnType<typeof findDeliveries>>["deliveries"][number];

const toFacts = (delivery: Listed | DeliveryDetail) => ({
  id: delivery.id,
  endpointId: delivery.endpointId,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  objectId: delivery.objectId,
  sequence: delivery.sequence,
  state: delivery.state,
  attempts: delivery.attempts,
  createdAt: delivery.createdAt.toISOString(),
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  replayOf: delivery.replayOf,
});

export const toDelivery = (delivery: Listed) => ({
  ...toFacts(delivery),
  lastStatus: delivery.lastStatus,
  lastProblem: delivery.lastProblem,
});

export const toDeliveryDetail = (delivery: DeliveryDetail) => ({
  ...toFacts(delivery),
  endpointUrl: delivery.endpointUrl,
  body: delivery.body,
  tries: delivery.tries.map((attempt) => ({
    number: attempt.number,
    url: attempt.url,
    startedAt: attempt.startedAt.toISOString(),
    webhookTimestamp: epochSeconds(attempt.startedAt),
    milliseconds: attempt.milliseconds,
    status: attempt.status,
    problem: attempt.problem,
    bodyStart: attempt.bodyStart,
  })),
});

export type WebhookEndpoint = ReturnType<typeof toEndpoint>;
export type WebhookDelivery = ReturnType<typeof toDelivery>;
export type WebhookDeliveryDetail = ReturnType<typeof toDeliveryDetail>;
