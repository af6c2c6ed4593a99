import type { Page } from "@playwright/test";
import { textOf } from "../../support/answers/wire.ts";
import { mandateDetails, pushFields } from "../../support/oauth/mandate-flow.ts";
import { makeKey, signAssertion, signProof } from "../../support/oauth/oauth-client.ts";
import { postAs, registerAgent, registerMerchant } from "../../support/oauth/parties.ts";
import { openAgentSite } from "../consent/consent-request.ts";
import { expect, test } from "../fixtures.ts";

type Sent = { url: string; method?: string; headers?: Record<string, string>; form?: Record<string, string> };

/** Sends requests from a script of the page, so that the browser's CORS checks apply. */
const fetchInPage = (page: Page, sent: Sent) =>
  page.evaluate(async ({ url, method = "POST", headers = {}, form }) => {
    try {
      const body = form ? new URLSearchParams(form) : null;
      const response = await fetch(url, { method, headers, body });
      const nonce = response.headers.get("dpop-nonce");
      return {
        status: response.status,
        nonce,
        challenge: response.headers.get("www-authenticate"),
        json: await response.json(),
      };
    } catch (error) {
      return String(error);
    }
  }, sent);

test("a page of another origin can get a bound token and can read the DPoP nonce and OAuth errors, but not the merchant API (docs/spec/oauth.md, Cross-origin requests)", async ({
  page,
  sandboxUrl,
}) => {
  const site = await openAgentSite();
  await page.goto(site.redirectUri);
  const merchant = await registerMerchant(sandboxUrl);
  const url = `${sandboxUrl}/oauth/token`;
  const key = await makeKey();
  const makeRequest = async () => ({
    url,
    headers: { dpop: await signProof(key, { url }) },
    form: {
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await signAssertion(merchant, sandboxUrl),
    },
  });
  expect(await fetchInPage(page, await makeRequest())).toMatchObject({
    status: 200,
    nonce: expect.stringMatching(/./),
    json: { token_type: "DPoP" },
  });
  const { headers, form } = await makeRequest();
  expect(await fetchInPage(page, { url, headers, form: { ...form, scope: "made up" } })).toMatchObject({
    status: 400,
    json: { error: "invalid_scope" },
  });
  const { registration_client_uri: own } = merchant.registration;
  const unknown = { url: String(own), method: "GET", headers: { authorization: "Bearer unknown" } };
  expect(await fetchInPage(page, unknown)).toMatchObject({ status: 401, challenge: expect.stringMatching(/^Bearer /) });
  expect(await fetchInPage(page, { url: `${sandboxUrl}/merchant_test/charges`, method: "GET" })).toMatch(
    /Failed to fetch/,
  );
  site.close();
});

test("the authorization response reaches an app at http://localhost (docs/spec/oauth.md, Client registration)", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const site = await openAgentSite();
  const redirect_uri = site.redirectUri.replace("127.0.0.1", "localhost");
  const [agent, merchant] = await Promise.all([
    registerAgent(sandboxUrl, { metadata: { redirect_uris: [redirect_uri] } }),
    registerMerchant(sandboxUrl),
  ]);
  const { form } = pushFields([mandateDetails(merchant.merchantId)], { redirect_uri });
  const pushed = await postAs(agent, "/oauth/par", { form, dpop: await makeKey() });
  const query = new URLSearchParams({ client_id: agent.id, request_uri: textOf(pushed, "request_uri") });
  await page.goto(`${sandboxUrl}/oauth/authorize?${query}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  expect(new URL(page.url()).hostname).toBe("localhost");
  expect((await site.answer).get("code")).toBeTruthy();
  site.close();
});
