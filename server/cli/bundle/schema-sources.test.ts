import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { manifestExample } from "../../assets/manifest.wire.ts";
import { paymentEventContracts } from "../../charges/events/event-contracts.ts";
import { changeExample, participantExample, versionExample } from "../../endpoints/directory/contract.ts";
import { chargeReceiptExample, mandateReceiptExample } from "../../endpoints/wallet/receipt-examples.ts";
import { authorizationDetailsTypes } from "../../mandates/details/authorization-details-types.ts";
import { schemaSources } from "./schema-sources.ts";

type Schema = { $schema: string; $id: string; title: string };

const schemas = new Map(
  schemaSources().map(({ name, bytes }) => [name, JSON.parse(new TextDecoder().decode(bytes)) as Schema]),
);
const ajv = new Ajv2020({ strictTypes: false, validateFormats: false });
const check = (name: string) => {
  const validate = ajv.getSchema(schemas.get(name)?.$id ?? "") ?? ajv.compile(schemas.get(name) ?? false);
  return (value: unknown) => (validate(value) ? [] : (validate.errors ?? []).map(({ instancePath }) => instancePath));
};
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const [details] = authorizationDetailsTypes["payment_mandate_v1"]?.examples ?? [];
const examples: readonly (readonly [string, unknown])[] = [
  ["participant", participantExample],
  ["participant-change", changeExample],
  ["participant-version", versionExample],
  ["payment-mandate", details],
  ["charge-receipt", chargeReceiptExample],
  ["mandate-receipt", mandateReceiptExample],
  ["asset-manifest", manifestExample],
  ...paymentEventContracts.map(({ example }) => ["webhook-event", example] as const),
];

describe("JSON Schemas of the bundle (docs/spec/assets.md, JSON Schemas)", () => {
  test.each([...schemas])(
    "%s is a schema of draft 2020-12, and at both of its addresses its $id resolves to the address below /v1",
    (name, schema) => {
      expect(ajv.validateSchema(schema)).toBe(true);
      expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
      for (const cdnUrl of ["https://cdn.example", "https://pay.example/cdn"]) {
        const hashed = name.replace(".json", ".0123456789abcdef.json");
        for (const address of [`${cdnUrl}/v1/${name}`, `${cdnUrl}/assets/${hashed}`]) {
          expect(new URL(schema.$id, address).href).toBe(`${cdnUrl}/v1/${name}`);
        }
      }
    },
  );

  test("each schema accepts its documents, even with members that later versions add", () => {
    expect(new Set(examples.map(([name]) => `schemas/${name}.json`))).toEqual(new Set(schemas.keys()));
    for (const [name, example] of examples) {
      expect([name, check(`schemas/${name}.json`)(asJson(example))]).toEqual([name, []]);
      if (name === "payment-mandate") continue;
      const later = { ...(asJson(example) as object), added_later: true };
      expect([name, check(`schemas/${name}.json`)(later)]).toEqual([name, []]);
    }
  });

  test.each([
    ["participant", { ...participantExample, status: "gone" }, "/status"],
    [
      "participant",
      { ...participantExample, capabilities: { ...participantExample.capabilities, webhooks: "no" } },
      "/capabilities/webhooks",
    ],
    ["payment-mandate", { ...details, max_amount_per_payment: -1 }, "/max_amount_per_payment"],
    ["payment-mandate", { ...details, actions: ["steal"] }, "/actions/0"],
    ["charge-receipt", { ...chargeReceiptExample, type: "mandate_receipt" }, "/type"],
    ["webhook-event", { ...paymentEventContracts[0]?.example, type: "charge.invented" }, "/type"],
    ["webhook-event", { ...paymentEventContracts[0]?.example, sequence: "1" }, "/sequence"],
  ])("%s refuses a wrong value", (name, value, pointer) => {
    expect(check(`schemas/${name}.json`)(asJson(value))).toContain(pointer);
  });
});
