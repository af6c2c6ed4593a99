import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { currentInstance } from "../../../support/instance.ts";
import { authorize, type FapiClient, push, redeem, registerPair } from "../../../support/oauth/fapi-clients.ts";
import { makePkce } from "../../../support/oauth/oauth-client.ts";

const { sandboxUrl } = currentInstance();
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

let client: FapiClient;
beforeAll(async () => {
  [client] = await registerPair(sandboxUrl);
});

describe("RFC 7636 §4.3, §4.4.1: responds with invalid_request to a challenge that isn't an S256 hash of 43 characters", () => {
  const { challenge, verifier } = makePkce();
  const rows: [string, Record<string, string | undefined>][] = [
    ["a method without a challenge", { code_challenge: undefined }],
    ["no challenge and no method", { code_challenge: undefined, code_challenge_method: undefined }],
    ["an empty challenge, which counts as absent", { code_challenge: "" }],
    ["method plain", { code_challenge: verifier, code_challenge_method: "plain" }],
    ["no method, which means plain", { code_challenge_method: undefined }],
    ["an empty method, which counts as absent", { code_challenge_method: "" }],
    ["method s256", { code_challenge_method: "s256" }],
    ["an unknown method", { code_challenge_method: "S512" }],
    ["42 characters", { code_challenge: challenge.slice(1) }],
    ["44 characters", { code_challenge: `${challenge}A` }],
    ["unused bits at the end that aren't 0", { code_challenge: `${challenge.slice(0, -1)}B` }],
    ["padded", { code_challenge: `${challenge.slice(1)}=` }],
    ["base64 instead of base64url", { code_challenge: `+/${challenge.slice(2)}` }],
    ["in hexadecimal", { code_challenge: createHash("sha256").update(verifier).digest("hex") }],
  ];
  test.each(rows)("%s", async (_name, fields) => {
    expectOAuthError((await push(client, fields)).answer, 400, "invalid_request");
  });
});

describe("RFC 7636 §4.1, §4.6: a verifier", () => {
  const everyCharacter = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  const verifiers: [string, string][] = [
    ["43 characters", "v".repeat(43)],
    ["128 characters", "v".repeat(128)],
    ["every unreserved character", everyCharacter],
  ];
  test.each(verifiers)("accepts %s", async (_name, code_verifier) => {
    const code = await authorize(client, { code_challenge: challengeOf(code_verifier) });
    expect((await redeem(client, code, { fields: { code_verifier } })).status).toBe(200);
  });

  const malformed: [string, string][] = [
    ["42 characters", "v".repeat(42)],
    ["129 characters", "v".repeat(129)],
    ["another character", `${"v".repeat(42)}+`],
    ["a space", `${"v".repeat(42)} `],
    ["a line break", `${"v".repeat(43)}\n`],
  ];
  test.each(malformed)(
    "%s: responds with invalid_grant, although its hash matches the challenge",
    async (_name, code_verifier) => {
      const code = await authorize(client, { code_challenge: challengeOf(code_verifier) });
      expectOAuthError(await redeem(client, code, { fields: { code_verifier } }), 400, "invalid_grant");
    },
  );

  test("responds with invalid_grant to a verifier that doesn't match; the code still works with the right verifier (docs/spec/oauth.md, Authorization codes)", async () => {
    const code = await authorize(client);
    const wrong = [makePkce().verifier, challengeOf(code.verifier), code.verifier.toUpperCase(), `${code.verifier}A`];
    for (const code_verifier of wrong) {
      expectOAuthError(await redeem(client, code, { fields: { code_verifier } }), 400, "invalid_grant");
    }
    expect((await redeem(client, code)).status).toBe(200);
  });

  test("responds with invalid_grant to the verifier of another code, which prevents code injection (RFC 9700 §2.1.1)", async () => {
    const [one, two] = [await authorize(client), await authorize(client)];
    expectOAuthError(await redeem(client, one, { fields: { code_verifier: two.verifier } }), 400, "invalid_grant");
  });
});
