import { expect, test } from "vitest";
import { toGroups } from "./api-reference.ts";
import type { Schema } from "./api-schema.ts";
import { operationEntry } from "./operation-entry.ts";

const json = (schema: Schema) => ({ "application/json": { schema } });
const object = (properties: Record<string, Schema>): Schema => ({ type: "object", properties });
const text: Schema = { type: "string" };

const [group] = toGroups({
  paths: {
    "/payments": {
      post: {
        operationId: "pay",
        summary: "Pay",
        parameters: [{ in: "query", name: "dry_run", schema: text }],
        requestBody: { content: json(object({ payer: object({ email: text }), amount: text })) },
        responses: {
          201: { description: "paid", content: json(object({ amount: text, data: { items: object({ fee: text }) } })) },
          default: { description: "wrong", content: json(object({ pointer: text })) },
        },
      },
    },
  },
  components: { securitySchemes: {} },
});

test("the search text of an operation contains the fields of its request and responses, but not the fields of errors", () => {
  const [operation = expect.fail("no operation")] = group?.operations ?? [];
  expect(operationEntry(operation).text).toBe("POST /payments pay dry_run payer email amount data fee");
});
