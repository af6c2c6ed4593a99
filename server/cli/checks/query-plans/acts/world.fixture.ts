import { calculateJwkThumbprint } from "jose";
import { authorizationOf } from "#e2e/support/oauth/authorization-flow.ts";
import { assertionType, formBody, makeKey, signAssertion, signProof } from "#e2e/support/oauth/oauth-client.ts";
import { startWebhookReceiver } from "#e2e/support/peers/webhook-receiver.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { makeFinalInvoice } from "../../../../billing/invoices/invoice.fixture.ts";
import { applyPlans, assign, testPlans } from "../../../../billing/subscriptions/subscription.fixture.ts";
import { makeChargeableMandate } from "../../../../charges/charge/charge-setup.fixture.ts";
import type { Endpoint } from "../../../../contract/endpoint.ts";
import { findIssuableGrant } from "../../../../data/oauth/grants.ts";
import { enrolMerchant } from "../../../../directory/participants/enrol-participant.ts";
import { serve } from "../../../../http/serve.ts";
import { newId, newSecret } from "../../../../kernel/ids.ts";
import type { ResourceName } from "../../../../kernel/resource-name.ts";
import { dayIn } from "../../../../kernel/time/calendar.ts";
import { pairwiseSubject, signAccessToken } from "../../../../oauth/tokens/sign-access-token.ts";
import { makeMember } from "../../../../trpc/merchant/merchant-tenant.fixture.ts";
import { addEndpoint } from "../../../../webhooks/endpoints/create-endpoint.ts";

const by = { actor: { kind: "system", id: "test" }, requestId: "req_test" } as const;

/** One payer, one agent and one merchant that use the product. The other rows are copies of theirs. */
export const makeWorld = async (deps: TestDeps) => {
  const receiver = await startWebhookReceiver();
  const parties = await makeChargeableMandate(deps, {
    max_total_amount: 1_000_000_000,
    periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 100_000_000 }],
  });
  const { payer, merchant, agent, merchantClient } = parties;
  for (const owner of [
    { kind: "merchant", id: merchant.id },
    { kind: "client", id: agent.id },
  ] as const) {
    await deps.db.sqlTransaction((sql) => addEndpoint(deps, sql, { owner, url: receiver.url, ...by }));
  }
  const memberId = await makeMember(deps, merchant.id, "owner");
  const { environment } = deps.config;
  const entry = { merchantId: merchant.id, changedBy: "operator", environment, at: deps.clock.now() } as const;
  await deps.db.sqlTransaction((sql) => enrolMerchant(sql, entry));
  await applyPlans(deps, testPlans(dayIn("UTC", deps.clock.now())));
  await assign(deps, merchant.id, { planId: "pro" });
  await makeFinalInvoice(deps, { merchantId: merchant.id, tokens: 3n });
  const details = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    max_amount_per_payment: 5_000,
    max_total_amount: 1_000_000,
    payees: [{ id: merchant.id }],
    payer_presence: ["in_session", "off_session"],
  };
  return { ...parties, payer, merchant, agent, merchantClient, memberId, details, receiver, agentKey: await makeKey() };
};

export type World = Awaited<ReturnType<typeof makeWorld>>;

type Call = { path: string; body?: object; scope?: string; resource?: ResourceName; key?: string };

/** Functions that send requests to one process as the parties of `world`. */
export const actorsOf = (deps: TestDeps, world: World) => {
  const { merchantClient, agent, payer, grant, agentKey } = world;
  const succeed = async (response: Response, path: string) => {
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  };

  /** A request of the merchant's client with an access token. @throws Error unless it succeeds. */
  const asMerchant = async (endpoint: Endpoint, { path, body, scope = "charges.read", ...more }: Call) => {
    const subject = { subject: merchantClient.id, clientId: merchantClient.id, clientEpoch: 1, jkt: null };
    const audience = `${deps.config.baseUrl}/${more.resource ?? "merchant_test"}`;
    const lifetime = { lifetimeSeconds: 600, jti: newSecret() };
    const { token } = signAccessToken(deps, { ...subject, audience, scopes: [scope], ...lifetime });
    const sent = body && { "content-type": "application/json", "idempotency-key": more.key ?? newId("req") };
    const request = new Request(`${deps.config.baseUrl}${path}`, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${token}`, ...sent },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return succeed(await serve(endpoint)(request), path);
  };

  /** A form that a client signs: at the token, introspection and revocation endpoints. */
  const postForm = async (
    endpoint: Endpoint,
    client: { id: string; privateKey: typeof agent.privateKey },
    fields: Record<string, string>,
  ) => {
    const url = `${deps.config.baseUrl}${endpoint.path}`;
    const assertion = await signAssertion(client, deps.config.baseUrl, { now: deps.clock.now() });
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      dpop: await signProof(agentKey, { url, now: deps.clock.now() }),
    };
    const body = formBody({ client_assertion_type: assertionType, client_assertion: assertion, ...fields });
    return succeed(await serve(endpoint)(new Request(url, { method: "POST", headers, body })), endpoint.path);
  };

  const agentToken = async (scopes: string[] = []): Promise<string> => {
    const held = await findIssuableGrant(deps.db.sql, grant.id, deps.clock.now());
    if (!held) throw new Error("no grant");
    return signAccessToken(deps, {
      jti: newSecret(),
      subject: pairwiseSubject(deps, payer.id, agent.id),
      audience: deps.config.baseUrl,
      clientId: agent.id,
      scopes,
      lifetimeSeconds: 300,
      clientEpoch: held.clientEpoch,
      jkt: await calculateJwkThumbprint(agentKey.publicJwk),
      grant: {
        id: grant.id,
        epoch: held.grantEpoch,
        details: held.details,
        authTime: deps.clock.now(),
        acr: "urn:paygrant:acr:password",
      },
    }).token;
  };

  /** A request of the agent with a token that is bound to its key. */
  const asAgent = async (endpoint: Endpoint, { path, scope }: Pick<Call, "path" | "scope">) => {
    const accessToken = await agentToken(scope === undefined ? [] : [scope]);
    const url = `${deps.config.baseUrl}${path}`;
    const { method } = endpoint;
    const headers = {
      authorization: `DPoP ${accessToken}`,
      dpop: await signProof(agentKey, { url, method, accessToken, now: deps.clock.now() }),
    };
    const response = await serve(endpoint)(new Request(url, { method, headers }));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  };

  const flow = () => authorizationOf(deps, { client: agent, payer });
  return { deps, world, asMerchant, asAgent, postForm, agentToken, flow };
};

export type Actors = ReturnType<typeof actorsOf>;
