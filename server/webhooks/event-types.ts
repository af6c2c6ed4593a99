import { type EventType, eventTypes } from "../data/webhooks/events.ts";
import { DomainError } from "../kernel/errors.ts";
import { audienceOf } from "./rules/audience.ts";

/** The event types that a merchant can receive. */
export const merchantEventTypes: readonly EventType[] = eventTypes.filter((type) => audienceOf(type) !== null);

/** @throws DomainError invalid, naming the field. */
export const assertEventTypes = (types: readonly string[]): void => {
  const unknown = types.find((type) => !merchantEventTypes.some((known) => known === type));
  if (unknown === undefined && new Set(types).size === types.length) return;
  const detail = unknown === undefined ? "has an event type twice" : "has an unknown event type";
  throw new DomainError("invalid", {
    code: "invalid_request",
    message: `The list of events ${detail}.`,
    errors: [{ pointer: "/eventTypes", detail }],
  });
};
