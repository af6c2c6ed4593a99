import { z } from "zod";
import { fieldsOf, type Schema } from "#components/docs/api/api-schema.ts";
import type { EventView } from "#components/docs/api/event-list.tsx";
import { eventContracts } from "#server/billing/events/event-contracts.ts";

const kindOf = (type: string): string => type.split(".")[0] ?? "";

/** Every event with its payload, from the same contracts as the `webhooks` of /openapi.json. */
export const eventViews: readonly EventView[] = eventContracts.map(({ type, when, recipients, schema, example }) => {
  const first = eventContracts.find((each) => kindOf(each.type) === kindOf(type))?.type ?? type;
  const whole = z.toJSONSchema(schema, { io: "input" }) as Schema;
  const fields = fieldsOf(whole.properties?.["data"] ?? {}, () => ({}));
  const hasOwn = type === first || fields.some(({ name }) => name === "limits");
  return { type, when, recipients, first, example, fields: hasOwn ? fields : null };
});
