import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient, makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { authorizationOf } from "#e2e/support/oauth/authorization-flow.ts";
import { sentDuring } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { mandateReceiptPdf } from "../../charges/payers/receipts/receipt-pdf.ts";
import { toMandateReceipt } from "../../charges/payers/receipts/receipts.wire.ts";
import { provideDeps } from "../../http/runtime.ts";
import { newId } from "../../kernel/ids.ts";
import { getPayerMandate, listPayerMandates } from "../../mandates/find-mandates.ts";
import { getOAuthClient } from "../../operators/clients/get-oauth-client.ts";

// The directory verifies domains. server/directory/domains tests this. Here, domains are verified in the database.

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
});
afterAll(() => deps.close());

const web = "https://bot.grocer.example/cb";
const local = "http://127.0.0.1:4567/callback";
const details = { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_amount_per_payment: 5_000 };

/** A payer, and an agent whose directory entry has the verified domain grocer.example. */
const makeParties = async (redirectUris: string[]) => {
  const [{ id: merchantId }, agent, payer] = await Promise.all([
    makeMerchant(deps),
    makeAgentClient(deps),
    makePayer(deps),
  ]);
  await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { accentColor: "#1a7f37" } });
  const [participantId, at] = [newId("ptc"), deps.clock.now()];
  const lists = { roles: ["client"], contacts: [], contactSalts: [], facets: [] };
  await deps.db.prisma.participant.create({
    data: { id: participantId, merchantId, displayName: "Grocer Group", ...lists, createdAt: at, updatedAt: at },
  });
  const domain = { participantId, domain: "grocer.example", token: "t", claimedAt: at, verifiedAt: at };
  await deps.db.prisma.participantDomain.create({ data: domain });
  await deps.db.prisma.client.update({ where: { id: agent.id }, data: { participantId, redirectUris } });
  const flow = await authorizationOf(deps, { client: agent, payer });

  const open = async (redirectUri: string, replaced?: string) => {
    const grant = replaced === undefined ? null : await deps.db.prisma.mandate.findUnique({ where: { id: replaced } });
    const { handle } = await flow.startAuthorization([{ ...details, ...(grant ? { identifier: grant.id } : {}) }], {
      redirect_uri: redirectUri,
      ...(grant ? { grant_management_action: "replace", grant_id: grant.grantId } : {}),
    });
    return flow.read(handle);
  };
  /** @returns the id of the approved mandate. */
  const approve = async (redirectUri: string, replaced?: string): Promise<string> => {
    const page = await open(redirectUri, replaced);
    expect(await page.answer("approve")).toMatchObject({ kind: "redirect" });
    return page.view.mandates[0]?.mandateId ?? "";
  };
  return { merchantId, agent, payer, participantId, open, approve };
};
type Parties = Awaited<ReturnType<typeof makeParties>>;

/** What the payer reads about the client of a mandate, in the wallet and in both receipts. */
const readMandate = async ({ payer }: Parties, mandateId: string) => {
  const mandate = await getPayerMandate(deps, { payerId: payer.id, mandateId });
  const issuer = { environment: "sandbox", account: { displayName: "Ada", email: "ada@example.test" } } as const;
  const receipt = toMandateReceipt(mandate, { ...issuer, at: deps.clock.now() });
  const printed = (locale: string) =>
    mandateReceiptPdf(receipt, { locale, timeZone: "UTC" }).sections[0]?.rows.find(([name]) => name === "App")?.[1];
  return { wallet: mandate.client, json: receipt.agent, pdf: [printed("en-GB"), printed("de-DE")] };
};
const readOperatorPage = async ({ agent }: Parties) =>
  (await getOAuthClient(deps, { clientId: agent.id })).client.verifiedDomain;

const app = (id: string) => ({ id, name: "Grocer Bot" });
const verified = (id: string) => ({
  wallet: { ...app(id), verifiedDomain: "grocer.example" },
  json: { ...app(id), verified: true, verified_domain: "grocer.example" },
  pdf: ["Grocer Bot · grocer.example, verified", "Grocer Bot · grocer.example, geprüft"],
});
const unverified = (id: string) => ({
  wallet: { ...app(id), verifiedDomain: null },
  json: { ...app(id), verified: false, verified_domain: null },
  pdf: ["Grocer Bot (not verified)", "Grocer Bot (nicht geprüft)"],
});

describe("consent, wallet, receipts and console agree on whether a client is verified (docs/spec/portal.md, Consent)", () => {
  const changes: [name: string, change: (parties: Parties, isUndone: boolean) => Promise<unknown>][] = [
    [
      "its domain is no longer verified",
      ({ participantId }, isUndone) =>
        deps.db.prisma.participantDomain.updateMany({
          where: { participantId },
          data: { verifiedAt: isUndone ? deps.clock.now() : null },
        }),
    ],
    [
      "its entry is withdrawn",
      ({ participantId: id }, isUndone) =>
        deps.db.prisma.participant.update({
          where: { id },
          data: { withdrawnAt: isUndone ? null : deps.clock.now() },
        }),
    ],
    [
      "its merchant is suspended",
      ({ merchantId: id }, isUndone) =>
        deps.db.prisma.merchant.update({ where: { id }, data: { suspendedAt: isUndone ? null : deps.clock.now() } }),
    ],
  ];

  test("a client is verified while its redirect URI is on a verified domain, and consent shows the name of its entry", async () => {
    const parties = await makeParties([web]);
    const { id } = parties.agent;
    const onConsent = async () => (await parties.open(web)).view.client;
    const shown = {
      id,
      name: "Grocer Group",
      appName: "Grocer Bot",
      isVerified: true,
      brand: { logoUri: null, accentColor: "#1a7f37" },
      domain: "grocer.example",
    };
    expect(await onConsent()).toEqual(shown);
    const mandateId = await parties.approve(web);
    expect(await readMandate(parties, mandateId)).toEqual(verified(id));
    expect(await readOperatorPage(parties)).toBe("grocer.example");
    const warned = { ...shown, name: "Grocer Bot", isVerified: false, brand: null, domain: "bot.grocer.example" };
    for (const [name, change] of changes) {
      await change(parties, false);
      const seen = [await onConsent(), await readMandate(parties, mandateId), await readOperatorPage(parties)];
      expect(seen, name).toEqual([warned, unverified(id), null]);
      await change(parties, true);
      expect(await readMandate(parties, mandateId), name).toEqual(verified(id));
    }
  });

  test("the redirect URI of a mandate's newest consent decides whether its client is verified", async () => {
    const parties = await makeParties([web, local]);
    const { id } = parties.agent;
    expect((await parties.open(local)).view.client).toMatchObject({ name: "Grocer Bot", isVerified: false });
    const mandateId = await parties.approve(local);
    expect(await readMandate(parties, mandateId)).toEqual(unverified(id));
    await parties.approve(web, mandateId);
    expect(await readMandate(parties, mandateId)).toEqual(verified(id));
    await parties.approve(local, mandateId);
    expect(await readMandate(parties, mandateId)).toEqual(unverified(id));
    expect(await readOperatorPage(parties)).toBeNull();
  });

  test("for a grant without a recorded redirect URI, all redirect URIs of the client count", async () => {
    const parties = await makeParties([web, local]);
    const { id } = parties.agent;
    const mandateId = await parties.approve(web);
    await deps.db.prisma.grant.updateMany({ where: { clientId: id }, data: { redirectUri: null } });
    expect(await readMandate(parties, mandateId)).toEqual(unverified(id));
    await deps.db.prisma.client.update({ where: { id }, data: { redirectUris: [web] } });
    expect(await readMandate(parties, mandateId)).toEqual(verified(id));
  });

  test("a client without an entry isn't verified", async () => {
    const parties = await makeParties([web]);
    const { id } = parties.agent;
    await deps.db.prisma.client.update({ where: { id }, data: { participantId: null } });
    expect((await parties.open(web)).view.client).toMatchObject({ name: "Grocer Bot", isVerified: false });
    expect(await readMandate(parties, await parties.approve(web))).toEqual(unverified(id));
    expect(await readOperatorPage(parties)).toBeNull();
  });

  test("a list of mandates reads the verified domains of all its clients in one statement", async () => {
    const parties = await makeParties([web]);
    await parties.approve(web);
    await parties.approve(web);
    const list = () => listPayerMandates(deps, { payerId: parties.payer.id, show: "live", limit: 5 });
    const texts = await sentDuring(async () => expect((await list()).mandates).toHaveLength(2));
    expect(texts.filter((text) => text.includes("participant_domain"))).toHaveLength(1);
  });
});
