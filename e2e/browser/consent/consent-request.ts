import { createServer, type Server } from "node:http";
import type { Page } from "@playwright/test";
import { textOf } from "../../support/answers/wire.ts";
import { mandateDetails, pushFields } from "../../support/oauth/mandate-flow.ts";
import { makeKey, type Signer } from "../../support/oauth/oauth-client.ts";
import { type Merchant, type Party, postAs, registerAgent, registerMerchant } from "../../support/oauth/parties.ts";

export type AgentSite = { redirectUri: string; answer: Promise<URLSearchParams>; close(): void };

/** The agent's page on a loopback address, to which the consent page returns (RFC 8252 §7.3). */
export const openAgentSite = async (): Promise<AgentSite> => {
  let arrive: (query: URLSearchParams) => void = () => {};
  const answer = new Promise<URLSearchParams>((resolve) => {
    arrive = resolve;
  });
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/callback") arrive(url.searchParams);
    response
      .setHeader("content-type", "text/html")
      .end("<!doctype html><title>Agent</title><h1>Back at the agent</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { redirectUri: `http://127.0.0.1:${port}/callback`, answer, close: () => server.close() };
};

export type PushedConsentRequest = {
  agent: Party;
  merchant: Merchant;
  dpop: Signer;
  details: object;
  /** PKCE verifier for the code that the approval returns */
  pushed: { verifier: string };
  url: string;
  site: AgentSite;
};

/** Registers an agent and a merchant for this test, and pushes a request. */
export const pushConsentRequest = async (
  sandboxUrl: string,
  limits: object = {},
  fields: Record<string, string> = {},
): Promise<PushedConsentRequest> => {
  const site = await openAgentSite();
  return { ...(await pushConsentRequestFor(sandboxUrl, site.redirectUri, { limits, fields })), site };
};

/** Pushes the request of a client that uses an existing redirect URI. */
export const pushConsentRequestFor = async (
  sandboxUrl: string,
  redirectUri: string,
  { limits = {}, fields = {} }: { limits?: object; fields?: Record<string, string> } = {},
): Promise<Omit<PushedConsentRequest, "site">> => {
  const [agent, merchant] = await Promise.all([
    registerAgent(sandboxUrl, { metadata: { redirect_uris: [redirectUri] } }),
    registerMerchant(sandboxUrl, { metadata: { client_name: "Fresh Market" } }),
  ]);
  const details = mandateDetails(merchant.merchantId, {
    periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 24_000 }],
    // Not the payer's zone, so that a time in the wrong zone is found.
    time_zone: "America/New_York",
    payer_presence: ["in_session", "off_session"],
    step_up_above: 4_000,
    purpose: "Weekly groceries",
    ...limits,
  });
  const dpop = await makeKey();
  const { form, verifier } = pushFields([details], { redirect_uri: redirectUri, ...fields });
  const requestUri = textOf(await postAs(agent, "/oauth/par", { form, dpop }), "request_uri");
  const url = `${sandboxUrl}/oauth/authorize?${new URLSearchParams({ client_id: agent.id, request_uri: requestUri })}`;
  return { agent, merchant, dpop, details, pushed: { verifier }, url };
};

/** Opens a limit of the consent page and enters another value. @param limit the beginning of the field's label */
export const lowerLimit = async (page: Page, limit: string, value: string): Promise<void> => {
  const field = page.getByRole("textbox", { name: limit, includeHidden: true });
  if (!(await field.isVisible())) await page.locator("details", { has: field }).locator("summary").click();
  await field.fill(value);
};
