import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { expectErrorOf, expectOAuthError, expectProblem } from "../../../support/answers/error-shape.ts";
import { fillPath, isStatus, listOperations } from "../../../support/answers/openapi-operations.ts";
import { postJson, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import * as flow from "../../../support/oauth/mandate-flow.ts";
import { makeKey, signProof } from "../../../support/oauth/oauth-client.ts";
import { postAs, registerAgent, registerMerchant } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const operations = (await listOperations(sandboxUrl)).filter((operation) => !isStatus(operation));

let mandate: flow.ChargeableMandate;
beforeAll(async () => {
  mandate = await flow.makeChargeableMandate(sandboxUrl);
});

describe("RFC 9449 §7: a bound token at a resource", () => {
  const path = () => `/oauth/mandates/${mandate.mandateId}/charges`;
  const read = (headers: Record<string, string>, to = path()) => send(`${sandboxUrl}${to}`, { headers });
  const proofFor = (options: Partial<Parameters<typeof signProof>[1]> = {}, signer = mandate.dpop) =>
    signProof(signer, { method: "GET", url: `${sandboxUrl}${path()}`, accessToken: mandate.accessToken, ...options });

  test("is accepted with its proof, which can be reused for reads", async () => {
    const headers = { authorization: `DPoP ${mandate.accessToken}`, dpop: await proofFor() };
    expect((await read(headers)).status).toBe(200);
    expect((await read(headers)).status).toBe(200);
  });

  test("gets a nonce for the next proof (§9)", async () => {
    const nonce = (await read({ authorization: `DPoP ${mandate.accessToken}`, dpop: await proofFor() })).headers.get(
      "dpop-nonce",
    );
    expect(nonce).toMatch(/\S/);
    const dpop = await proofFor({ claims: { nonce } });
    expect((await read({ authorization: `DPoP ${mandate.accessToken}`, dpop })).status).toBe(200);
  });

  test("is accepted by HEAD with a proof for HEAD, and refused with one for GET (§4.3 (8))", async () => {
    const head = async (method: string) => {
      const headers = { authorization: `DPoP ${mandate.accessToken}`, dpop: await proofFor({ method }) };
      return (await send(`${sandboxUrl}${path()}`, { method: "HEAD", headers })).status;
    };
    expect([await head("HEAD"), await head("GET")]).toEqual([200, 401]);
  });

  test("is refused as Bearer (§7.2)", async () => {
    const answer = await read({ authorization: `Bearer ${mandate.accessToken}` });
    expectOAuthError(answer, 401, "invalid_token");
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  const rows: [string, string, () => Promise<Record<string, string>>][] = [
    ["without a proof", "invalid_dpop_proof", async () => ({})],
    [
      "with a proof without ath (12a)",
      "invalid_dpop_proof",
      async () => ({ dpop: await proofFor({ claims: { ath: undefined } }) }),
    ],
    [
      "with a proof of another token's ath (12a)",
      "invalid_dpop_proof",
      async () => ({ dpop: await proofFor({ accessToken: "other" }) }),
    ],
    ["with a proof by another key (12b)", "invalid_token", async () => ({ dpop: await proofFor({}, await makeKey()) })],
    [
      "with a proof for another method",
      "invalid_dpop_proof",
      async () => ({ dpop: await proofFor({ method: "POST" }) }),
    ],
    [
      "with a proof for another URL",
      "invalid_dpop_proof",
      async () => ({ dpop: await proofFor({ url: `${sandboxUrl}/oauth/token` }) }),
    ],
  ];
  test.each(rows)("%s: 401 %s", async (_name, code, headers) => {
    const answer = await read({ authorization: `DPoP ${mandate.accessToken}`, ...(await headers()) });
    expectOAuthError(answer, 401, code);
    expect(answer.headers.get("www-authenticate")).toMatch(/^DPoP .*algs="ES256 PS256 EdDSA Ed25519"/);
  });

  test("a Bearer token is refused under the DPoP scheme", async () => {
    const headers = { authorization: `DPoP ${mandate.merchantToken}`, dpop: await proofFor() };
    expectProblem(await send(`${sandboxUrl}/merchant_test/charges`, { headers }), 401, "invalid_token");
  });

  test("an unknown nonce gets 401 use_dpop_nonce with a new one, which is accepted (§9)", async () => {
    const stale = await proofFor({ claims: { nonce: "made-up" } });
    const answer = await read({ authorization: `DPoP ${mandate.accessToken}`, dpop: stale });
    expectOAuthError(answer, 401, "use_dpop_nonce");
    expect(answer.headers.get("www-authenticate")).toContain('error="use_dpop_nonce"');
    const dpop = await proofFor({ claims: { nonce: answer.headers.get("dpop-nonce") } });
    expect((await read({ authorization: `DPoP ${mandate.accessToken}`, dpop })).status).toBe(200);
  });
});

describe("RFC 9449 §11.1: a call that changes something accepts a proof once (docs/spec/oauth.md, DPoP)", () => {
  test("even if the URL of the call is longer than an index entry can be", async () => {
    const url = `${sandboxUrl}/oauth/mandates/${randomBytes(6_000).toString("base64url")}/credential`;
    const dpop = await signProof(mandate.dpop, { method: "GET", url, accessToken: mandate.accessToken });
    const sendRequest = () => send(url, { headers: { authorization: `DPoP ${mandate.accessToken}`, dpop } });
    expect([(await sendRequest()).status, (await sendRequest()).status]).toEqual([404, 401]);
  });

  test("for charges, although each has its own Idempotency-Key; a new proof is accepted", async () => {
    const dpop = await makeKey();
    const url = `${sandboxUrl}/merchant_test/charge`;
    const bound = await postAs(mandate.merchant, "/oauth/token", { form: { grant_type: "client_credentials" }, dpop });
    const accessToken = textOf(bound, "access_token");
    const chargeWith = (proof: string) =>
      postJson(url, flow.chargeBody(mandate), {
        authorization: `DPoP ${accessToken}`,
        dpop: proof,
        "idempotency-key": randomUUID(),
      });
    const proof = await signProof(dpop, { url, accessToken });
    expect((await chargeWith(proof)).status).toBe(201);
    expectProblem(await chargeWith(proof), 401, "invalid_dpop_proof");
    expect((await chargeWith(await signProof(dpop, { url, accessToken }))).status).toBe(201);
  });
});

describe("RFC 9449 §11.1: every call that changes something accepts its proof once, whatever the response is", () => {
  const changing = operations.filter(({ security, method }) => security === "accessToken" && method !== "GET");
  /** A client's own token with every scope of one resource. */
  const own = async (kind: "agent" | "merchant", scope: string) => {
    const metadata = { grant_types: ["client_credentials"], scope };
    const party = await (kind === "agent" ? registerAgent : registerMerchant)(sandboxUrl, { metadata });
    const key = await makeKey();
    const answer = await postAs(party, "/oauth/token", {
      form: { grant_type: "client_credentials", scope },
      dpop: key,
    });
    return { key, accessToken: textOf(answer, "access_token") };
  };
  const resources: Record<string, () => ReturnType<typeof own>> = {
    merchant_test: () => own("merchant", "mandates.verify charges.write charges.read refunds.write"),
    billing: () => own("merchant", "billing.read billing.write"),
    directory: () => own("merchant", "directory.write"),
    oauth: () => own("agent", "grant_management_query grant_management_revoke"),
  };

  const holderFor = (path: string): ReturnType<typeof own> => {
    const hold = resources[path.split("/")[1] ?? ""];
    if (!hold) throw new Error(`no token is for ${path}`);
    return hold();
  };

  test.each(changing)("$title", async ({ path, method, content, errorShape }) => {
    const { key, accessToken } = await holderFor(path);
    const url = `${sandboxUrl}${fillPath(path, {})}`;
    const dpop = await signProof(key, { method, url, accessToken });
    const sendRequest = () =>
      send(url, {
        method,
        headers: {
          authorization: `DPoP ${accessToken}`,
          dpop,
          "idempotency-key": randomUUID(),
          "if-match": "*",
          ...(content ? { "content-type": content } : {}),
        },
        ...(content ? { body: "{}" } : {}),
      });
    expect([401, 403]).not.toContain((await sendRequest()).status);
    const again = await sendRequest();
    expectErrorOf(errorShape, again, 401);
    expect(again.headers.get("www-authenticate")).toContain('error="invalid_dpop_proof"');
  });
});

describe("RFC 9449 §5: a refresh", () => {
  test("issues a token bound to the key of its proof", async () => {
    const other = await makeKey();
    const fields = { grant_type: "refresh_token", refresh_token: mandate.refreshToken };
    const accessToken = textOf(
      await postAs(mandate.agent, "/oauth/token", { form: fields, dpop: other }),
      "access_token",
    );
    const url = `${sandboxUrl}/oauth/mandates/${mandate.mandateId}/charges`;
    const read = async (key: typeof other) => {
      const dpop = await signProof(key, { method: "GET", url, accessToken });
      return send(url, { headers: { authorization: `DPoP ${accessToken}`, dpop } });
    };
    expect((await read(other)).status).toBe(200);
    expectOAuthError(await read(mandate.dpop), 401, "invalid_token");
  });

  test("is refused without a proof", async () => {
    const fields = { grant_type: "refresh_token", refresh_token: mandate.refreshToken };
    expectOAuthError(await postAs(mandate.agent, "/oauth/token", { form: fields }), 400, "invalid_dpop_proof");
  });
});
