import type { JsonObject } from "../../kernel/text/json.ts";

type DeliveredEvent = { id: string; type: string; createdAt: Date; sequence: number; data: JsonObject };

/** The members of mandate events that merchants receive. All others are left out: limits, and members added later. */
const merchantMembers: readonly string[] = ["mandate_id", "status", "version", "client_id", "reason"];

/**
 * The body of a delivery, `{id, type, timestamp, sequence, data}`. Every attempt sends the same text, because a
 * receiver may compare attempts.
 */
export const payloadOf = (event: DeliveredEvent, ownerKind: "client" | "merchant"): string =>
  JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    sequence: event.sequence,
    data: ownerKind === "merchant" && event.type.startsWith("mandate.") ? withoutLimits(event.data) : event.data,
  });

const withoutLimits = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([name]) => merchantMembers.includes(name)));
