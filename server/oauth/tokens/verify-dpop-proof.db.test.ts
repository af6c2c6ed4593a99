import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey, type Signer, signProof } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Config } from "../../deps/config.ts";
import { dpopNonceHeaders, verifyDpopProof } from "./verify-dpop-proof.ts";

let deps: TestDeps;
let key: Signer;
beforeAll(async () => {
  [deps, key] = [await createTestDeps(), await makeKey()];
});
afterAll(() => deps.close());

const path = "/oauth/token";
const under = (dpopNonce: Config["dpopNonce"]): TestDeps => ({ ...deps, config: { ...deps.config, dpopNonce } });

const verify = async (at: TestDeps, nonce?: string) => {
  const claims = nonce === undefined ? {} : { nonce };
  const proof = await signProof(key, { url: `${deps.config.baseUrl}${path}`, claims, now: deps.clock.now() });
  return verifyDpopProof(at, { proof, method: "POST", path, accessToken: null });
};
const challenged = { code: "use_dpop_nonce", headers: { "dpop-nonce": expect.any(String) } };

describe("DPOP_NONCE (RFC 9449 §8; docs/spec/oauth.md, DPoP)", () => {
  test("required: a proof without a nonce gets a challenge, and a proof with the current nonce is accepted", async () => {
    const at = under("required");
    await expect(verify(at)).rejects.toMatchObject(challenged);
    const { "dpop-nonce": nonce } = dpopNonceHeaders(at);
    await expect(verify(at, nonce)).resolves.toMatchObject({ jkt: expect.any(String) });
  });

  test("optional: a nonce is sent but not required; a wrong one gets a challenge", async () => {
    const at = under("optional");
    expect(dpopNonceHeaders(at)).toHaveProperty("dpop-nonce");
    await expect(verify(at)).resolves.toMatchObject({ jkt: expect.any(String) });
    await expect(verify(at, "made-up")).rejects.toMatchObject(challenged);
  });

  test("off: a nonce is neither sent nor checked", async () => {
    const at = under("off");
    expect(dpopNonceHeaders(at)).toEqual({});
    await expect(verify(at, "made-up")).resolves.toMatchObject({ jkt: expect.any(String) });
  });

  test("an issued nonce is valid for five minutes, and then gets a challenge", async () => {
    const at = under("required");
    const { "dpop-nonce": nonce = "" } = dpopNonceHeaders(at);
    deps.clock.advance(280);
    await expect(verify(at, nonce)).resolves.toMatchObject({ jkt: expect.any(String) });
    deps.clock.advance(30);
    await expect(verify(at, nonce)).rejects.toMatchObject(challenged);
    expect(dpopNonceHeaders(at)["dpop-nonce"]).not.toBe(nonce);
  });
});

describe("a directory at its own host (docs/spec/oauth.md, Clients, scopes and resources)", () => {
  const path = "/directory/v1/participants/ptc_1";
  const verifyFor = async (url: string) => {
    const at = { ...deps, config: { ...deps.config, discoveryUrl: "https://directory.example" } };
    const proof = await signProof(key, { url, now: deps.clock.now() });
    return verifyDpopProof(at, { proof, method: "POST", path, accessToken: null });
  };

  test("accepts proofs with the directory's URL in htu, not with the issuer's URL (RFC 9449 §4.3)", async () => {
    await expect(verifyFor("https://directory.example/v1/participants/ptc_1")).resolves.toMatchObject({
      jkt: expect.any(String),
    });
    await expect(verifyFor(`${deps.config.baseUrl}${path}`)).rejects.toMatchObject({ code: "invalid_dpop_proof" });
  });
});
