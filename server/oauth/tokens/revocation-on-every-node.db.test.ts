import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { introspectAs } from "#e2e/support/oauth/pending-client.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { requestCharge } from "../../charges/charge/answers.fixture.ts";
import { scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { verifyMandate } from "../../charges/permission/verify-mandate.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { authenticateClient } from "../clients/authenticate-client.ts";
import { errorOf, grantTo, info, loadClient, makeParties, type Parties } from "../grants/granted.fixture.ts";
import { revokeToken } from "./revoke-token.ts";
import { signAccessToken } from "./sign-access-token.ts";
import { verifyAccessToken } from "./verify-access-token.ts";

/** Two processes of one service: a revocation at the first is effective at the second's next request. */
let here: TestDeps;
let there: TestDeps;
let parties: Parties;
beforeAll(async () => {
  here = await createTestDeps({ processors: scriptedProcessor().processors });
  there = await anotherNode(here);
  parties = await makeParties(here);
});
afterAll(async () => {
  await there.close();
  await here.close();
});

/** The number of revocations of each kind. For a longer run, set for example REVOCATIONS=1000. */
const times = Number(process.env["REVOCATIONS"] ?? 200);
const timeout = 300_000;
const lanes = 8;

/** Runs `times` rounds, some concurrently. @returns for each name, in how many rounds its value was true. */
const count = async (round: () => Promise<Record<string, boolean>>): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  let left = times;
  const lane = async () => {
    while (left-- > 0) {
      for (const [name, isTrue] of Object.entries(await round())) counts[name] = (counts[name] ?? 0) + Number(isTrue);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return counts;
};

const isActive = async (node: TestDeps, client: Parties["agent"], token: string): Promise<boolean> =>
  (await introspectAs(node, client, token)).active;

/** Whether a resource accepts a Bearer token. */
const isTaken = async (node: TestDeps, resource: "authorization_server" | "merchant_test", token: string) =>
  (await errorOf(
    verifyAccessToken(node, {
      info,
      resource,
      scope: null,
      method: "GET",
      path: "/",
      limitsAuthenticationAge: false,
      changesState: false,
      authorization: `Bearer ${token}`,
      dpopProof: null,
    }),
  )) === "none";

/** A token as the client_credentials grant issues it. */
const merchantToken = ({ id, scopes, epoch }: Parties["merchantClient"]): string =>
  signAccessToken(here, {
    jti: newSecret(),
    subject: id,
    clientId: id,
    clientEpoch: epoch,
    scopes,
    jkt: null,
    lifetimeSeconds: 600,
    audience: `${here.config.baseUrl}/merchant_test`,
  }).token;

/** Whether the merchant's verification finds that the mandate allows a payment to the merchant. */
const isPayable = async (node: TestDeps, mandateId: string): Promise<boolean> => {
  const request = { mandate_id: mandateId, amount: 100, currency: "EUR", payer_presence: "in_session" } as const;
  const verdict = await verifyMandate(node, {
    merchantId: parties.merchant.id,
    clientId: parties.merchantClient.id,
    requestId: "req_test",
    request,
  });
  return "valid" in verdict && verdict.valid === true;
};

const chargeRefusal = (node: TestDeps, mandateId: string): Promise<string> =>
  errorOf(
    requestCharge(node, {
      merchantId: parties.merchant.id,
      clientId: parties.merchantClient.id,
      requestId: "req_test",
      idempotencyKey: newId("req"),
      request: { mandate_id: mandateId, amount: 100, currency: "EUR", payer_presence: "in_session" },
    }),
  );

describe(`a revocation is effective at the next request on any node (docs/spec/oauth.md, Access tokens): ${times} revocations`, {
  timeout,
}, () => {
  test("of an agent's access token", async () => {
    const { accessToken } = await grantTo(here, parties);
    const counts = await count(async () => {
      const token = await accessToken({ signer: null });
      const before = await isTaken(there, "authorization_server", token);
      await revokeToken(here, { client: parties.agent, token, info });
      return {
        before,
        introspection: await isActive(there, parties.agent, token),
        resource: await isTaken(there, "authorization_server", token),
      };
    });
    expect(counts).toEqual({ before: times, introspection: 0, resource: 0 });
  });

  test("of a merchant's access token", async () => {
    const client = parties.merchantClient;
    const counts = await count(async () => {
      const token = merchantToken(client);
      const before = await isTaken(there, "merchant_test", token);
      await revokeToken(here, { client, token, info });
      return {
        before,
        introspection: await isActive(there, client, token),
        resource: await isTaken(there, "merchant_test", token),
      };
    });
    expect(counts).toEqual({ before: times, introspection: 0, resource: 0 });
  });

  test("of a refresh token, with its grant's access tokens and mandate", async () => {
    const counts = await count(async () => {
      const { accessToken, refreshToken, mandateId } = await grantTo(here, parties);
      const [token, secret] = await Promise.all([accessToken({ signer: null }), refreshToken()]);
      const before = (await isTaken(there, "authorization_server", token)) && (await isPayable(there, mandateId));
      await revokeToken(here, { client: parties.agent, token: secret, info });
      return {
        before,
        refreshToken: await isActive(there, parties.agent, secret),
        introspection: await isActive(there, parties.agent, token),
        resource: await isTaken(there, "authorization_server", token),
        merchant: await isPayable(there, mandateId),
        charge: (await chargeRefusal(there, mandateId)) !== "refused_by_mandate",
      };
    });
    const none = { refreshToken: 0, introspection: 0, resource: 0, merchant: 0, charge: 0 };
    expect(counts).toEqual({ before: times, ...none });
  });

  test("of a mandate, by the payer in the wallet", async () => {
    const counts = await count(async () => {
      const { accessToken, mandateId } = await grantTo(here, parties);
      const token = await accessToken({ signer: null });
      const before = (await isTaken(there, "authorization_server", token)) && (await isPayable(there, mandateId));
      await revokeMandate(here, {
        mandateId,
        requestId: "req_test",
        actor: { kind: "payer", id: parties.payer.id },
      });
      return {
        before,
        introspection: await isActive(there, parties.agent, token),
        resource: await isTaken(there, "authorization_server", token),
        merchant: await isPayable(there, mandateId),
        charge: (await chargeRefusal(there, mandateId)) !== "refused_by_mandate",
      };
    });
    expect(counts).toEqual({ before: times, introspection: 0, resource: 0, merchant: 0, charge: 0 });
  });

  test("of all tokens of a client, by raising its epoch", async () => {
    // Concurrent rounds use different clients, so that no round ends another round's tokens.
    const clients = await Promise.all(
      Array.from({ length: lanes }, async () => (await makeParties(here)).merchantClient.id),
    );
    const counts = await count(async () => {
      const id = clients.pop() ?? "";
      const client = await loadClient(here, id);
      const token = merchantToken(client);
      const before = await isTaken(there, "merchant_test", token);
      await here.db.prisma.client.update({ where: { id }, data: { epoch: { increment: 1 } } });
      const after = {
        introspection: await isActive(there, client, token),
        resource: await isTaken(there, "merchant_test", token),
      };
      clients.push(id);
      return { before, ...after };
    });
    expect(counts).toEqual({ before: times, introspection: 0, resource: 0 });
  });

  test("of a client itself: its tokens and its assertions, although the other node has cached the client's keys", async () => {
    const clients = await Promise.all(Array.from({ length: lanes }, () => makeParties(here)));
    const authenticates = async (node: TestDeps, { agentKeys }: Parties): Promise<boolean> => {
      const assertion = await signAssertion(agentKeys, node.config.baseUrl, { now: node.clock.now() });
      const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      const form = { client_assertion_type: type, client_assertion: assertion };
      return (await errorOf(authenticateClient(node, { form, authorization: null }))) === "none";
    };
    const setDeleted = (id: string, deletedAt: Date | null) =>
      here.db.prisma.client.update({ where: { id }, data: { deletedAt, version: { increment: 1 } } });
    const counts = await count(async () => {
      const own = clients.pop();
      if (!own) throw new Error("no client left");
      const token = merchantToken(own.merchantClient);
      const before = (await isTaken(there, "merchant_test", token)) && (await authenticates(there, own));
      await Promise.all([own.merchantClient.id, own.agent.id].map((id) => setDeleted(id, here.clock.now())));
      const after = {
        introspection: await isActive(there, own.merchantClient, token),
        resource: await isTaken(there, "merchant_test", token),
        assertion: await authenticates(there, own),
      };
      await Promise.all([own.merchantClient.id, own.agent.id].map((id) => setDeleted(id, null)));
      clients.push(own);
      return { before, ...after };
    });
    expect(counts).toEqual({ before: times, introspection: 0, resource: 0, assertion: 0 });
  });
});
