import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeGrant, type TestClient } from "#e2e/support/factories.ts";
import { submitConsent } from "#e2e/support/oauth/authorization-flow.ts";
import { assertionType, makePkce, signAssertion } from "#e2e/support/oauth/oauth-client.ts";
import { introspectAs } from "#e2e/support/oauth/pending-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { isDomainError, isOAuthError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { expireDueMandates } from "../../mandates/lifecycle/expire-due-mandates.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { sealConsentForm } from "../consent/consent-form.ts";
import { loadConsentRequest } from "../consent/load-consent-request.ts";
import { exchangeCode } from "../grants/exchange-code.ts";
import {
  codeFields,
  grantTo,
  loadClient,
  makeParties,
  type Parties,
  refreshFields,
  tokenRequest,
} from "../grants/granted.fixture.ts";
import { refreshGrant } from "../grants/refresh-grant.ts";
import { openRequest } from "../requests/open-request.ts";
import { pushRequest } from "../requests/push-request.ts";
import { verifyClient } from "./authenticate-client.ts";
import { authenticateRegistration } from "./authenticate-registration.ts";
import { deleteClient } from "./delete-client.ts";
import { replaceClientRegistration } from "./replace-registration.ts";

// e2e/http/rfc/clients/rfc7592.test.ts tests the responses. This file tests races.

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
const bank = scriptedProcessor();
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors });
});
afterAll(() => deps.close());

const giveToken = async (clientId: string, token: string): Promise<void> => {
  await deps.db.prisma.client.update({
    where: { id: clientId },
    data: { registrationTokenHash: sha256Base64url(token) },
  });
};

const callerBy = (clientId: string, token: string) =>
  authenticateRegistration(deps, { clientId, authorization: `Bearer ${token}`, info });

/** @returns "done", or the refusal's code. @throws any other error, such as a deadlock. */
const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: unknown) => {
      if (isDomainError(error) || isOAuthError(error)) return error.code;
      throw error;
    },
  );

/** One agent with mandates of several payers, all chargeable by one merchant. */
const makeAgentWithMandates = async (count: number) => {
  const setup = await makeChargeableMandate(deps);
  const { agent, payer, merchant, merchantClient } = setup;
  const mandateIds = [setup.mandateId];
  const grantIds = [setup.grant.id];
  for (let made = 1; made < count; made += 1) {
    const [grant, mandateId] = [await makeGrant(deps, { clientId: agent.id, payerId: payer.id }), newId("mdt")];
    const { max_amount_per_payment, ...details } = mandateOf(merchant.id);
    await deps.db.transaction((tx) =>
      activateMandates(deps, tx, {
        requestId: "req_test",
        grantId: grant.id,
        clientId: agent.id,
        payerId: payer.id,
        paymentMethodId: payer.paymentMethodId,
        mandateIds: [mandateId],
        budgetVisible: false,
        details: [{ ...details, max_amount_per_payment }],
        now: deps.clock.now(),
      }),
    );
    mandateIds.push(mandateId);
    grantIds.push(grant.id);
  }
  await giveToken(agent.id, "secret");
  return { ...setup, agent, merchantClient, mandateIds, grantIds };
};

const mandateOf = (merchantId: string) => ({
  type: "payment_mandate_v1" as const,
  actions: ["verify" as const, "charge" as const],
  currency: "EUR",
  max_amount_per_payment: 5_000,
  payees: [{ id: merchantId }],
  payer_presence: ["in_session" as const, "off_session" as const],
});

const remove = async (clientId: string, token = "secret") =>
  deleteClient(deps, { caller: await callerBy(clientId, token), info });

const readState = async (clientId: string) => {
  const [client, grants, mandates] = await Promise.all([
    deps.db.prisma.client.findUniqueOrThrow({ where: { id: clientId } }),
    deps.db.prisma.grant.findMany({ where: { clientId } }),
    deps.db.prisma.mandate.findMany({ where: { clientId } }),
  ]);
  return { client, grants, mandates };
};

const expectAllEnded = async (clientId: string) => {
  const { client, grants, mandates } = await readState(clientId);
  expect([client.deletedAt, client.epoch]).toEqual([expect.any(Date), 2]);
  expect(grants.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  expect(mandates.filter(({ state }) => state === "active" || state === "suspended")).toEqual([]);
  expect(await findViolations(deps.db.sql)).toEqual([]);
};

describe("DELETE ends all grants, mandates and tokens of the client in one transaction (RFC 7592 §2.3)", () => {
  test("grants without a live mandate end too, every epoch is raised, and the rows are kept (docs/spec/oauth.md, Access tokens)", async () => {
    const { agent, grantIds, payer } = await makeAgentWithMandates(2);
    const bare = await makeGrant(deps, { clientId: agent.id, payerId: payer.id });
    await remove(agent.id);
    await expectAllEnded(agent.id);
    const { grants } = await readState(agent.id);
    expect(grants.map(({ id }) => id).sort()).toEqual([...grantIds, bare.id].sort());
    expect(grants.every(({ epoch }) => epoch === 2)).toBe(true);
  });

  test("changes nothing if its last statement fails", async () => {
    const { agent, mandateIds } = await makeAgentWithMandates(3);
    await deps.db.prisma.$executeRawUnsafe(
      `CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await deps.db.prisma.$executeRawUnsafe(
      `CREATE TRIGGER refuse_deletion BEFORE UPDATE ON client FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION refuse_deletion()`,
    );
    await expect(remove(agent.id)).rejects.toThrow("no");
    await deps.db.prisma.$executeRawUnsafe("DROP TRIGGER refuse_deletion ON client");
    const { client, grants, mandates } = await readState(agent.id);
    expect([client.deletedAt, client.epoch]).toEqual([null, 1]);
    expect(mandates.map(({ id, state }) => [id, state]).sort()).toEqual(mandateIds.map((id) => [id, "active"]).sort());
    expect(grants.every(({ endedAt, epoch }) => endedAt === null && epoch === 1)).toBe(true);
  });

  test("only one of several concurrent requests deletes the client; the others are refused with 401", async () => {
    const { agent } = await makeAgentWithMandates(3);
    const callers = await Promise.all(Array.from({ length: 8 }, () => callerBy(agent.id, "secret")));
    const outcomes = await Promise.all(callers.map((caller) => outcomeOf(deleteClient(deps, { caller, info }))));
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "invalid_token")).toHaveLength(7);
    await expectAllEnded(agent.id);
  });

  test("causes no deadlock with concurrent charges, revocation and expiry; each charge precedes the DELETE or is refused", async () => {
    for (let round = 0; round < 5; round += 1) {
      const setup = await makeAgentWithMandates(6);
      const { agent, payer, mandateIds } = setup;
      await deps.db.prisma.mandate.update({
        where: { id: mandateIds[5] ?? "" },
        data: { validFrom: new Date(0), validUntil: deps.clock.now() },
      });
      const charges = mandateIds.flatMap((mandate_id) =>
        Array.from({ length: 5 }, () => outcomeOf(setup.charge({ mandate_id, amount: 100 }))),
      );
      const revocation = revokeMandate(deps, {
        mandateId: mandateIds[3] ?? "",
        actor: { kind: "payer", id: payer.id },
        requestId: "req_test",
      });
      const [deleted, , , ...charged] = await Promise.all([
        outcomeOf(remove(agent.id)),
        outcomeOf(revocation),
        expireDueMandates(deps, { limit: 10 }),
        ...charges,
      ]);
      expect(deleted).toBe("done");
      expect(
        charged.filter(
          (outcome) =>
            !["done", "refused_by_mandate", "temporarily_unavailable", "mandate_not_found"].includes(outcome),
        ),
      ).toEqual([]);
      await expectAllEnded(agent.id);
      expect(await outcomeOf(setup.charge({ amount: 100 }))).toBe("refused_by_mandate");
    }
  });
});

describe("a consent concurrent with a DELETE", () => {
  const provedBy = async (agent: TestClient) => {
    const assertion = await signAssertion(agent, deps.config.baseUrl, { now: deps.clock.now() });
    const form = { client_assertion_type: assertionType, client_assertion: assertion };
    return verifyClient(deps, { form, authorization: null });
  };

  test("either the consent is committed first and its grant ends with the client, or the consent is refused because the request no longer exists", async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { agent, payer, merchant } = await makeAgentWithMandates(1);
      const form = {
        response_type: "code",
        redirect_uri: "http://127.0.0.1:9/callback",
        code_challenge: makePkce().challenge,
        code_challenge_method: "S256",
        authorization_details: JSON.stringify([{ ...mandateOf(merchant.id), max_total_amount: 10_000 }]),
      };
      const pending = await provedBy(agent);
      const { requestUri } = await pushRequest(deps, { info, pending, form, dpopProof: null });
      const { consentUrl } = await openRequest(deps, { clientId: agent.id, requestUri });
      const handle = new URL(consentUrl).pathname.split("/")[2] ?? "";
      const session: SessionContext = {
        sessionId: newId("ses"),
        account: { id: payer.id, email: "", displayName: "", operatorRole: null, locale: "en-GB", timeZone: "UTC" },
        authTime: deps.clock.now(),
        acr: "urn:paygrant:acr:password",
        hasSecondFactor: false,
      };
      const lookup = await loadConsentRequest(deps, { handle, session });
      if (lookup.kind !== "ready") throw new Error(lookup.kind);
      const formToken = sealConsentForm(deps, {
        session,
        view: lookup.view,
        page: { text: "Words", locale: "en-GB" },
      });
      const decision = {
        decision: "approve",
        paymentMethodId: payer.paymentMethodId,
        narrowings: [],
        budgetVisible: false,
      } as const;
      const [decided] = await Promise.all([
        outcomeOf(submitConsent(deps, { handle, formToken, session, decision, info })),
        remove(agent.id),
      ]);
      outcomes.push(decided);
      await expectAllEnded(agent.id);
    }
    expect(outcomes.filter((outcome) => outcome !== "done" && outcome !== "consent_gone")).toEqual([]);
  });
});

describe("concurrent PUT requests", () => {
  const bare = (agent: TestClient) => ({
    redirect_uris: ["http://127.0.0.1:9/callback"],
    jwks: { keys: [agent.publicJwk] },
  });

  test("one request is applied in full and gets one new token; the others are refused and change nothing", async () => {
    const { agent } = await makeAgentWithMandates(1);
    const caller = await callerBy(agent.id, "secret");
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        replaceClientRegistration(deps, {
          caller,
          info,
          metadata: { ...bare(agent), client_name: `n${index}`, software_version: `${index}` },
        }),
      ),
    );
    const { client } = await readState(agent.id);
    const { client_name, software_version } = client.metadata as Record<string, string>;
    expect(client_name).toBe(`n${software_version}`);
    expect(client.name).toBe(client_name);
    expect(client.version).toBe(2);
    const [taken, ...others] = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect([taken?.client_name, others]).toEqual([client_name, []]);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "invalid_request" });
    }
    // The previous token is used first, because the first use of the new one ends it.
    expect(await outcomeOf(callerBy(agent.id, "secret"))).toBe("done");
    expect(await outcomeOf(callerBy(agent.id, String(taken?.registration_access_token)))).toBe("done");
    expect(await outcomeOf(callerBy(agent.id, "secret"))).toBe("invalid_token");
  });

  test("each successful response contains a valid token, even if several requests presented the same token (RFC 7592 §3)", async () => {
    const { agent } = await makeAgentWithMandates(1);
    const put = async (name: string) =>
      replaceClientRegistration(deps, {
        caller: await callerBy(agent.id, "secret"),
        info,
        metadata: { ...bare(agent), client_name: name },
      });
    const tokens: string[] = [(await put("first")).registration_access_token];
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.allSettled(["a", "b", "c", "d"].map((name) => put(`${name}${round}`)));
      for (const answer of answers) {
        if (answer.status === "fulfilled") tokens.push(answer.value.registration_access_token);
        else expect(answer.reason).toMatchObject({ code: "invalid_request" });
      }
    }
    expect(tokens.length).toBeGreaterThanOrEqual(4);
    for (const token of tokens) expect(await outcomeOf(callerBy(agent.id, token))).toBe("done");
    expect(await outcomeOf(callerBy(agent.id, "secret"))).toBe("invalid_token");
    const other = await makeAgentWithMandates(1);
    const elsewhere = await replaceClientRegistration(deps, {
      caller: await callerBy(other.agent.id, "secret"),
      info,
      metadata: bare(other.agent),
    });
    expect(tokens).not.toContain(elsewhere.registration_access_token);
  });

  test("never change dpop_bound_access_tokens from true to false, in any order", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { agent } = await makeAgentWithMandates(1);
      await deps.db.prisma.client.update({ where: { id: agent.id }, data: { dpopBound: false } });
      const caller = await callerBy(agent.id, "secret");
      const put = (bound: boolean) =>
        outcomeOf(
          replaceClientRegistration(deps, {
            caller,
            info,
            metadata: { ...bare(agent), dpop_bound_access_tokens: bound },
          }),
        );
      const outcomes = await Promise.all([put(false), put(true), put(false), put(true)]);
      expect(outcomes.toSorted()).toEqual(["done", "invalid_request", "invalid_request", "invalid_request"]);
      expect((await readState(agent.id)).client.dpopBound).toBe(outcomes.indexOf("done") % 2 === 1);
    }
  });

  test("cause token requests that were authenticated before the PUT to be refused; their codes and refresh tokens can still be used", async () => {
    const parties = await makeParties(deps, { dpopBound: false });
    const { agent, agentKeys } = parties;
    await giveToken(agent.id, "secret");
    const granted = await grantTo(deps, parties);
    const [code, secret] = [codeFields(await granted.code()), refreshFields(await granted.refreshToken())];
    const caller = await callerBy(agent.id, "secret");
    await replaceClientRegistration(deps, {
      caller,
      info,
      metadata: {
        ...bare(agentKeys),
        grant_types: ["authorization_code", "refresh_token"],
        scope: "grant_management_query",
      },
    });
    const exchange = async (client: Parties["agent"]) =>
      outcomeOf(exchangeCode(deps, { ...(await tokenRequest(deps, parties, code)), client }));
    const refresh = async (client: Parties["agent"]) =>
      outcomeOf(refreshGrant(deps, { ...(await tokenRequest(deps, parties, secret)), client }));
    expect([await exchange(agent), await refresh(agent)]).toEqual(["invalid_request", "invalid_request"]);
    const now = await loadClient(deps, agent.id);
    expect(now.scopes).toEqual(["grant_management_query"]);
    expect([await exchange(now), await refresh(now)]).toEqual(["done", "done"]);
  });

  test("leave no live token with a removed permission, even with concurrent token requests", async () => {
    for (let round = 0; round < 10; round += 1) {
      const parties = await makeParties(deps, { dpopBound: false });
      const { agent, agentKeys } = parties;
      await giveToken(agent.id, "secret");
      const granted = await grantTo(deps, parties);
      await deps.db.prisma.grant.update({
        where: { id: granted.grantId },
        data: { scopes: ["grant_management_query", "grant_management_revoke"] },
      });
      const codes = await Promise.all(Array.from({ length: 6 }, () => granted.code()));
      const requests = await Promise.all(codes.map((code) => tokenRequest(deps, parties, codeFields(code))));
      const caller = await callerBy(agent.id, "secret");
      const metadata = { ...bare(agentKeys), scope: "grant_management_query" };
      const [answers] = await Promise.all([
        Promise.allSettled(requests.map((request) => exchangeCode(deps, request))),
        replaceClientRegistration(deps, { caller, info, metadata }),
      ]);
      for (const answer of answers) {
        if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "invalid_request" });
        else expect(await introspectAs(deps, agent, answer.value.access_token)).toEqual({ active: false });
      }
    }
  });

  test("don't restore a client that a concurrent DELETE deletes", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { agent } = await makeAgentWithMandates(2);
      const caller = await callerBy(agent.id, "secret");
      const put = () => outcomeOf(replaceClientRegistration(deps, { caller, metadata: bare(agent), info }));
      const outcomes = await Promise.all([put(), outcomeOf(deleteClient(deps, { caller, info })), put()]);
      expect(outcomes[1]).toBe("done");
      await expectDeleted(agent.id);
    }
  });

  const expectDeleted = async (clientId: string) => {
    const { client, mandates } = await readState(clientId);
    expect(client.deletedAt).not.toBeNull();
    expect(mandates.every(({ state }) => state === "revoked")).toBe(true);
    expect(await outcomeOf(callerBy(clientId, "secret"))).toBe("invalid_token");
  };
});
