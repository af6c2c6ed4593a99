import { beforeAll, describe, expect, test } from "vitest";
import { send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { decide, openConsent, signIn } from "../../../support/oauth/consent-driver.ts";
import { mandateDetails, pushFields } from "../../../support/oauth/mandate-flow.ts";
import {
  makeInitialAccessToken,
  type Party,
  postAs,
  registerAgent,
  registerMerchant,
} from "../../../support/oauth/parties.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const state = "a b+c%20&=é~\"'<>";
const redirectUris = ["http://127.0.0.1:9/callback", "https://bot.example/cb?kept=%20+&x", "https://bot.example/cb?"];

const authorized = async (kind: "agent" | "merchant") => ({
  headers: { authorization: `Bearer ${(await makeInitialAccessToken("production", kind)).token}` },
});

describe.each([
  ["sandbox", sandboxUrl],
  ["production", productionUrl],
])("RFC 9207 §2: every authorization response of %s contains the issuer", (environment, baseUrl) => {
  let agent: Party;
  let merchantId: string;
  beforeAll(async () => {
    const isOpen = environment === "sandbox";
    const metadata = { redirect_uris: redirectUris };
    agent = await registerAgent(baseUrl, { metadata, ...(isOpen ? {} : await authorized("agent")) });
    merchantId = (await registerMerchant(baseUrl, isOpen ? {} : await authorized("merchant"))).merchantId;
  });

  const answerOf = async (decision: "approve" | "decline", redirectUri: string) => {
    const { form } = pushFields([mandateDetails(merchantId)], { state, redirect_uri: redirectUri });
    const requestUri = textOf(await postAs(agent, "/oauth/par", { form }), "request_uri");
    const cookie = await signIn(baseUrl);
    return decide(await openConsent(baseUrl, { clientId: agent.id, requestUri }, cookie), cookie, { decision });
  };

  test.each(redirectUris)(
    "an approval with redirect_uri %s adds code, state and iss, each once, after the registered query",
    async (uri) => {
      const answer = await answerOf("approve", uri);
      const location = answer.headers.get("location") ?? "";
      expect(answer.status).toBe(303);
      expect(location.startsWith(uri)).toBe(true);
      const added = new URLSearchParams(location.slice(uri.length).replace(/^[?&]/, ""));
      expect([...added.keys()].sort()).toEqual(["code", "iss", "state"]);
      expect(added.get("state")).toBe(state);
      expect(added.get("iss")).toBe(baseUrl);
      expect(location).not.toContain("#");
    },
  );

  test("an error: adds iss, and no code (RFC 6749 §4.1.2.1)", async () => {
    const answer = await answerOf("decline", redirectUris[0] ?? "");
    const { searchParams } = new URL(answer.headers.get("location") ?? "");
    expect(answer.status).toBe(303);
    expect([...searchParams.keys()].sort()).toEqual(["error", "error_description", "iss", "state"]);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: "access_denied", state, iss: baseUrl });
    expect(searchParams.get("error_description")).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  test("the metadata states support for iss, with the same issuer (§2.3, §2.4)", async () => {
    expect((await send(`${baseUrl}/.well-known/oauth-authorization-server`)).json).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      issuer: baseUrl,
    });
  });
});
