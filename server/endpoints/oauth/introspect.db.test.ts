import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assertionType, formBody, signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { grantTo, makeParties, type Parties } from "../../oauth/grants/granted.fixture.ts";
import { introspectEndpoint } from "./introspect.ts";

let deps: TestDeps;
let parties: Parties;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
  parties = await makeParties(deps);
});
afterAll(() => deps.close());

const introspect = async (token: string, headers: Record<string, string> = {}) => {
  const { agentKeys, agent } = parties;
  const assertion = await signAssertion({ ...agentKeys, id: agent.id }, deps.config.baseUrl, { now: deps.clock.now() });
  return mount(introspectEndpoint).POST(
    new Request(`${deps.config.baseUrl}/oauth/introspect`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: formBody({ client_assertion_type: assertionType, client_assertion: assertion, token }),
    }),
  );
};

test("without Accept the response is JSON", async () => {
  const answer = await introspect(await (await grantTo(deps, parties)).accessToken());
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(await answer.json()).toMatchObject({ active: true });
});

test("a client that registered signed responses gets only signed responses, whatever its Accept header (RFC 9701 §6)", async () => {
  const token = await (await grantTo(deps, parties)).accessToken();
  await deps.db.prisma.client.update({
    where: { id: parties.agent.id },
    data: { metadata: { introspection_signed_response_alg: "ES256" }, version: { increment: 1 } },
  });
  const accepted = [{}, { accept: "application/json" }, { accept: "*/*" }, { accept: "text/html" }];
  for (const headers of accepted) {
    for (const [tokenText, active] of [
      [token, true],
      ["unknown", false],
    ] as const) {
      const answer = await introspect(tokenText, headers);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/token-introspection+jwt"]);
      const { payload } = await jwtVerify(await answer.text(), createLocalJWKSet(deps.keys.jwks()), {
        typ: "token-introspection+jwt",
        audience: parties.agent.id,
        currentDate: deps.clock.now(),
      });
      expect(payload["token_introspection"]).toMatchObject({ active });
    }
  }
});
