import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient, makePayer } from "#e2e/support/factories.ts";
import { authorizationOf } from "#e2e/support/oauth/authorization-flow.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { provideDeps } from "../../http/runtime.ts";
import { findRequestedAcr } from "./find-requested-acr.ts";

const [password, passkey] = ["urn:paygrant:acr:password", "urn:paygrant:acr:passkey"];
const details = [
  { type: "payment_mandate_v1", actions: ["verify", "charge"], currency: "EUR", max_amount_per_payment: 5_000 },
];

let deps: TestDeps;
let flow: Awaited<ReturnType<typeof authorizationOf>>;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
  flow = await authorizationOf(deps, { client: await makeAgentClient(deps), payer: await makePayer(deps) });
});
afterAll(() => deps.close());

describe("one of acr_values must be satisfied (RFC 9470 §5)", () => {
  test.each([
    [passkey, passkey],
    [`urn:other ${password} ${password}`, password],
    [`${passkey} ${password}`, null],
  ])("with the acr_values %j, the sign-in form asks for %s", async (acr_values, wanted) => {
    const { handle } = await flow.startAuthorization(details, { acr_values });
    expect(await findRequestedAcr(deps, { returnTo: `/consent/${handle}` })).toBe(wanted);
    expect(await findRequestedAcr(deps, { returnTo: `/consent/${handle}?error=consent_stale` })).toBe(wanted);
  });

  test("without acr_values any proof is accepted", async () => {
    const { handle } = await flow.startAuthorization(details);
    for (const returnTo of [`/consent/${handle}`, "/consent/unknown", "/consent/%00", "/wallet"]) {
      expect(await findRequestedAcr(deps, { returnTo })).toBeNull();
    }
  });

  test("a passkey and a password don't satisfy each other's acr, and the token contains the acr of the sign-in", async () => {
    const byPasskey = { ...flow.session(), acr: passkey };
    const [one, other] = [
      await flow.startAuthorization(details, { acr_values: passkey }),
      await flow.startAuthorization(details, { acr_values: password }),
    ];
    await expect(flow.read(one.handle)).rejects.toThrow("sign_in");
    await expect(flow.read(other.handle, byPasskey)).rejects.toThrow("sign_in");
    const code = flow.codeOf(await (await flow.read(one.handle, byPasskey)).answer("approve"));
    const { body } = await flow.exchange(code, one.verifier);
    expect(decodeJwt(body.access_token)["acr"]).toBe(passkey);
  });
});
