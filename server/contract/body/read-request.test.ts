import { describe, expect, test } from "vitest";
import { z } from "zod";
import { endpoints } from "../../endpoints/index.ts";
import type { Endpoint } from "../endpoint.ts";
import { parameterErrors } from "./read-request.ts";

describe("a query may contain only parameters that the contract names, each once (docs/spec/product.md, Invalid requests)", () => {
  const names = ["limit", "starting_after"];
  const unknown = "unknown parameter; allowed parameters: limit, starting_after";
  test.each<[string, object[]]>([
    ["limit=1&starting_after=a", []],
    ["limit=", []],
    ["limitt=1", [{ pointer: "#limitt", detail: unknown }]],
    ["Limit=1", [{ pointer: "#Limit", detail: unknown }]],
    ["limit=1&limit=1", [{ pointer: "#limit", detail: "must not be repeated" }]],
    ["x=1&limit=1&x=2", [{ pointer: "#x", detail: unknown }]],
    ["toString=1", [{ pointer: "#toString", detail: unknown }]],
    ["=1", [{ pointer: "#", detail: unknown }]],
  ])("%s", (query, errors) => {
    expect(parameterErrors(query, names)).toEqual(errors);
  });

  test("if a query has thousands of unknown names, the response lists some of them, each shortened", () => {
    const query = Array.from({ length: 5_000 }, (_, index) => `${"n".repeat(200)}${index}=1`).join("&");
    const errors = parameterErrors(query, []);
    expect([errors.length, errors[0]?.pointer.length]).toEqual([20, 101]);
    expect(errors[0]?.detail).toBe("unknown parameter; no parameters are allowed");
  });
});

type JsonSchema = { type?: unknown; additionalProperties?: unknown; properties?: Record<string, JsonSchema> } & {
  items?: JsonSchema;
  anyOf?: JsonSchema[];
};

/** JSON pointers of the objects that accept any members. */
const findLooseObjects = (schema: JsonSchema, at: string): string[] => [
  ...(schema.type === "object" && schema.additionalProperties === undefined ? [at] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => findLooseObjects(member, `${at}/${name}`)),
  ...(schema.items ? findLooseObjects(schema.items, `${at}/-`) : []),
  ...(schema.anyOf ?? []).flatMap((each) => findLooseObjects(each, at)),
];

/** Objects that browsers define. They may have more members, because new versions of WebAuthn add members. */
const definedByBrowsers = [
  "signInByPasskey /assertion",
  "signInByPasskey /assertion/response",
  "finishSignUpByPasskey /attestation",
  "finishSignUpByPasskey /attestation/response",
  "acceptInvitationWithAccount /credential/attestation",
  "acceptInvitationWithAccount /credential/attestation/response",
];

test("every object of every REST body lists its members, so that an unknown member is never dropped silently", () => {
  const bodyOf = ({ request }: Endpoint) => z.toJSONSchema(request.body ?? z.unknown(), { io: "input" }) as JsonSchema;
  const loose = endpoints
    .filter(({ errors, request }) => errors === "problem" && request.content !== undefined)
    .flatMap((endpoint) =>
      (endpoint.request.body ? findLooseObjects(bodyOf(endpoint), "") : ["takes any body"]).map(
        (at) => `${endpoint.operationId} ${at}`,
      ),
    );
  expect(loose).toEqual(definedByBrowsers);
});
