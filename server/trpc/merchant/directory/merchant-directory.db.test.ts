import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { addVerifiedDomain } from "#e2e/support/oauth/software-statement.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findInitialAccessToken, takeInitialAccessTokenUse } from "../../../data/directory/initial-access-tokens.ts";
import type { Outbound } from "../../../deps/outbound.ts";
import { recheckDomains } from "../../../directory/domains/recheck-domains.ts";
import { configurationOf, makeFederationKey } from "../../../directory/federation/entity.fixture.ts";
import { recheckEntities } from "../../../directory/federation/recheck-entities.ts";
import { enrolMerchant } from "../../../directory/participants/enrol-participant.ts";
import { sha256Base64url } from "../../../kernel/crypto/hash.ts";
import { addSeconds, epochSeconds } from "../../../kernel/time/clock.ts";
import { createOutbound } from "../../../platform/outbound/outbound.ts";
import { callerOf } from "../../caller.fixture.ts";
import { makeMember } from "../merchant-tenant.fixture.ts";

// In these tests, host names don't resolve, and only the URLs in `configurations` respond. The TXT records of domains
// are in `records`.

let deps: TestDeps;
const records = new Map<string, string>();
/** configurations of federation entities, by address */
const configurations = new Map<string, string>();
beforeAll(async () => {
  const dns = { txtAtEach: async (name: string) => [[records.get(name) ?? ""], [records.get(name) ?? ""]] };
  const real = createOutbound({ allowLoopback: false, resolve: async () => [] });
  const outbound: Outbound = {
    ...real,
    async request(wish) {
      const body = configurations.get(wish.url);
      if (body === undefined) return real.request(wish);
      return { status: 200, headers: { "content-type": "application/entity-statement+jwt" }, body: Buffer.from(body) };
    },
  };
  deps = await createTestDeps({ dns, outbound });
});
afterAll(() => deps.close());

/** A merchant with an entry, and the API as its owner calls it. */
const make = async () => {
  const { id: merchantId } = await makeMerchant(deps);
  const { environment } = deps.config;
  await deps.db.sqlTransaction((sql) =>
    enrolMerchant(sql, { merchantId, changedBy: "operator", environment, at: deps.clock.now() }),
  );
  const caller = callerOf(deps, await makeMember(deps, merchantId, "owner"));
  const { merchantDirectory: api } = caller;
  const entry = async () => {
    const view = await api.entry({ merchantId });
    if (!view) throw new Error("the merchant has no entry");
    return view;
  };
  return { merchantId, caller, api, entry };
};

const reasonOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => null,
    (thrown: { message: string; cause?: { code?: string } }) => thrown,
  );
  return error?.cause?.code ?? error?.message ?? null;
};

describe("the directory entry of a merchant (docs/spec/portal.md, Directory entry)", () => {
  test("a domain is claimed, is checked twice, fails its daily checks and is removed; each change of its state is logged", async () => {
    const { merchantId, caller, api, entry } = await make();
    const domain = "market.example";
    expect(await api.claim({ merchantId, domain: " Market.example " })).toEqual({ domain, isNew: true });
    const [claimed] = (await entry()).domains;
    expect(claimed).toMatchObject({ domain, state: "unverified", checkedAt: null, nextCheckAt: null });
    const { recordName, recordValue, url, document } = claimed?.proof ?? {};
    expect(url).toBe("https://market.example/.well-known/paygrant-participants.json");
    expect(JSON.parse(document ?? "")).toEqual({ [(await entry()).id]: recordValue });
    expect(await reasonOf(api.check({ merchantId, domain }))).toBe("domain_not_proved");
    expect((await entry()).domains).toMatchObject([{ state: "unverified", checkedAt: deps.clock.now().toISOString() }]);

    records.set(recordName ?? "", recordValue ?? "");
    await api.check({ merchantId, domain });
    expect(await entry()).toMatchObject({ status: "active", domains: [{ state: "verified" }] });
    records.clear();
    for (const state of ["failing", "failing", "demoted"]) {
      deps.clock.advance(25 * 3600);
      await recheckDomains(deps, { limit: 10, requestId: "req_check" });
      expect((await entry()).domains).toMatchObject([{ state }]);
    }
    await api.remove({ merchantId, domain });
    expect(await entry()).toMatchObject({ status: "pending", domains: [] });

    const { entries, older } = await api.history({ merchantId });
    expect(entries.map(({ change, changedBy }) => [change, changedBy])).toEqual([
      ["domain_unverified", "system"],
      ["domain_verified", "merchant"],
      ["registered", "operator"],
    ]);
    expect([older, entries[1]?.logIndex]).toEqual([null, expect.any(Number)]);
    const audit = await caller.merchantAudit.list({ merchantId, topic: "directory" });
    expect(audit.entries.map(({ action }) => action)).toEqual(
      ["given_up", "unverified", "check_failed", "verified", "claimed"].map((act) => `participant.domain_${act}`),
    );
  });

  test("an edit needs the current entry, doesn't change the names, and reports invalid fields", async () => {
    const { merchantId, api, entry } = await make();
    const { etag, displayName, legalName } = await entry();
    const edit = { merchantId, etag, websiteUri: "https://market.example/", logoUri: "", metadataUris: "" };
    const contacts = "pay@market.example\n\n help@market.example, pay@market.example";
    await api.edit({ ...edit, contacts });
    expect(await entry()).toMatchObject({
      displayName,
      legalName,
      websiteUri: edit.websiteUri,
      logoUri: null,
      contacts: ["pay@market.example", "help@market.example"],
    });
    expect(await reasonOf(api.edit({ ...edit, contacts }))).toBe("precondition_failed");
    const wrong = api.edit({ ...edit, logoUri: "http://market.example/logo.png", contacts: "not-an-address" });
    expect(JSON.parse((await reasonOf(wrong)) ?? "[]")).toMatchObject([
      { path: ["logoUri"], message: expect.stringContaining("https address") },
      { path: ["contacts"], message: "“not-an-address” isn’t an e-mail address." },
    ]);
    await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: deps.clock.now() } });
    const { etag: suspended } = await entry();
    expect(await reasonOf(api.edit({ ...edit, etag: suspended, contacts }))).toBe("participant_suspended");
  });

  test("a domain and a website with letters outside ASCII are stored in ASCII", async () => {
    const { merchantId, api, entry } = await make();
    expect(await api.claim({ merchantId, domain: "Bücher.example" })).toMatchObject({
      domain: "xn--bcher-kva.example",
    });
    for (const domain of ["127.1", "bücher", "https://bücher.example", "bü cher.example"]) {
      expect(await reasonOf(api.claim({ merchantId, domain }))).toContain("Enter a domain");
    }
    const { etag } = await entry();
    await api.edit({
      merchantId,
      etag,
      websiteUri: "https://аррӏе.example/",
      logoUri: "",
      contacts: "",
      metadataUris: "",
    });
    expect(await entry()).toMatchObject({ websiteUri: "https://xn--80ak6aa92e.example/" });
  });

  test("members state the greatest amount of a charge, and a form without the field keeps it", async () => {
    const { merchantId, api, entry } = await make();
    const edit = { merchantId, websiteUri: "", logoUri: "", contacts: "", metadataUris: "" };
    const save = async (maxChargeAmounts?: string) =>
      api.edit({ ...edit, etag: (await entry()).etag, maxChargeAmounts });
    await save("JPY 300000\n\n EUR 2,500.00 ");
    const limits = [
      { currency: "EUR", amount: 250_000 },
      { currency: "JPY", amount: 300_000 },
    ];
    expect((await entry()).maxChargeAmounts).toEqual(limits);
    await save();
    expect((await entry()).maxChargeAmounts).toEqual(limits);
    const { entries } = await api.history({ merchantId });
    expect(entries[0]).toMatchObject({
      change: "edited",
      document: { capabilities: { limits: { max_charge_amounts: limits } } },
    });
    for (const [text, message] of [
      ["2500", /doesn’t start with a currency/],
      ["XXX 1", /doesn’t start with a currency/],
      ["EUR", /doesn’t start with a currency/],
      ["EUR 1.005", /./],
      ["EUR 0", /./],
      ["EUR -5", /./],
      ["EUR 99999999999999", /./],
      ["EUR 1\nEUR 2", /The list must have each currency once\./],
    ] as const) {
      await expect(save(text)).rejects.toMatchObject({
        code: "BAD_REQUEST",
        cause: { errors: [{ pointer: "/maxChargeAmounts", detail: expect.stringMatching(message) }] },
      });
    }
    expect((await entry()).maxChargeAmounts).toEqual(limits);
    await save("");
    expect((await entry()).maxChargeAmounts).toEqual([]);
  });

  test("an entry is withdrawn and listed again, once each, even if each request is sent twice at the same time", async () => {
    const { merchantId, caller, api, entry } = await make();
    expect(await Promise.all([api.withdraw({ merchantId }), api.withdraw({ merchantId })])).toEqual([
      { ok: true },
      { ok: true },
    ]);
    expect((await entry()).status).toBe("withdrawn");
    expect(await reasonOf(api.claim({ merchantId, domain: "left.example" }))).toBe("participant_withdrawn");
    expect(await Promise.all([api.listAgain({ merchantId }), api.listAgain({ merchantId })])).toEqual([
      { ok: true },
      { ok: true },
    ]);
    expect((await entry()).status).toBe("pending");

    const { entries } = await api.history({ merchantId });
    expect(entries.map(({ change }) => change)).toEqual(["listed_again", "withdrawn", "registered"]);
    const audit = await caller.merchantAudit.list({ merchantId, topic: "directory" });
    expect(audit.entries.map(({ action }) => action)).toEqual(["participant.listed_again", "participant.withdrawn"]);
    await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: deps.clock.now() } });
    expect(await reasonOf(api.withdraw({ merchantId }))).toBe("participant_suspended");
  });

  test("the view of a withdrawn entry says whether the entry or its merchant is suspended", async () => {
    const { merchantId, api, entry } = await make();
    await api.withdraw({ merchantId });
    expect(await entry()).toMatchObject({ status: "withdrawn", isSuspended: false });
    const { id } = await entry();
    const suspend = (suspendedAt: Date | null) =>
      deps.db.prisma.participant.update({ where: { id }, data: { suspendedAt } });
    await suspend(deps.clock.now());
    expect(await entry()).toMatchObject({ status: "withdrawn", isSuspended: true });
    expect(await reasonOf(api.listAgain({ merchantId }))).toBe("participant_suspended");
    await suspend(null);
    await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: deps.clock.now() } });
    expect(await entry()).toMatchObject({ status: "withdrawn", isSuspended: true });
    expect(await reasonOf(api.listAgain({ merchantId }))).toBe("participant_suspended");
  });

  test("a member of an active entry creates a token for agents and revokes it; both are in the audit log", async () => {
    const { merchantId, caller, api, entry } = await make();
    const request = { merchantId, label: "Grocer Bot", uses: 2, ttlSeconds: 3600, scopes: ["grant_management_query"] };
    expect(await reasonOf(api.createToken(request))).toBe("participant_not_verified");
    const { id: participantId } = await entry();
    await addVerifiedDomain(deps, { participantId, domain: "agents.example" });
    expect(await reasonOf(api.createToken({ ...request, uses: 101 }))).toBe("invalid_request");
    expect(await reasonOf(api.createToken({ ...request, scopes: ["charges.read"] }))).toBe("invalid_scope");
    const { token } = await api.createToken(request);
    const found = await findInitialAccessToken(deps.db.sql, sha256Base64url(token));
    expect(found).toMatchObject({
      kind: "agent",
      merchantId: null,
      participantId,
      usesLeft: 2,
      scopes: request.scopes,
    });

    const { tokens } = await api.tokens({ merchantId });
    expect(tokens).toMatchObject([{ label: "Grocer Bot" }]);
    expect(JSON.stringify(tokens)).not.toContain(token);
    await api.revokeToken({ merchantId, tokenId: tokens[0]?.id ?? "" });
    expect(await takeInitialAccessTokenUse(deps.db.sql, found?.id ?? "", deps.clock.now())).toBe(false);
    const { entries } = await caller.merchantAudit.list({ merchantId });
    expect(entries.map(({ action }) => action).filter((action) => action.startsWith("initial_"))).toEqual([
      "initial_access_token.revoked",
      "initial_access_token.created",
    ]);
  });

  test("a name that is changed in the settings is changed in the entry too, with a new version", async () => {
    const { merchantId, caller, api, entry } = await make();
    const { legalName } = await entry();
    const { versions } = await caller.settings.read({ merchantId });
    await caller.settings.saveDetails({ merchantId, version: versions.details, displayName: "Fresher Market" });
    expect(await entry()).toMatchObject({ displayName: "Fresher Market", legalName });
    const { entries } = await api.history({ merchantId });
    expect(entries[0]).toMatchObject({ change: "edited", changedBy: "merchant", version: 2 });
  });

  test("before its approval, a merchant has no entry", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const { merchantDirectory: api } = callerOf(deps, await makeMember(deps, merchantId, "owner"));
    expect(await api.entry({ merchantId })).toBeNull();
    expect(await reasonOf(api.claim({ merchantId, domain: "early.example" }))).toBe("participant_not_found");
    expect(await reasonOf(api.withdraw({ merchantId }))).toBe("participant_not_found");
  });

  test("the history is paged", async () => {
    const { merchantId, api, entry } = await make();
    for (let count = 0; count < 11; count += 1) {
      const { etag } = await entry();
      deps.clock.set(addSeconds(deps.clock.now(), 1));
      const websiteUri = `https://market.example/${count}`;
      await api.edit({ merchantId, etag, websiteUri, logoUri: "", contacts: "", metadataUris: "" });
    }
    const newest = await api.history({ merchantId });
    expect([newest.entries.map(({ version }) => version), newest.older]).toEqual([
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
      3,
    ]);
    const oldest = await api.history({ merchantId, before: 3 });
    expect([oldest.entries.map(({ version }) => version), oldest.older]).toEqual([[2, 1], null]);
    expect(oldest.entries[0]?.before).toEqual(oldest.entries[1]?.document);
  });
});

describe("the federation entity of a merchant's entry (docs/spec/portal.md, Directory entry)", () => {
  const fieldOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: { cause?: { code?: string; errors?: { pointer: string }[] } }) => [
        error.cause?.code,
        error.cause?.errors?.[0]?.pointer,
      ],
    );

  test("is registered, is shown with its last fetch, and is removed; refusals name the field", async () => {
    const { merchantId, caller, entry } = await make();
    const { entryFederation: api } = caller;
    const entityId = "https://id.federated.example";
    expect(await api.entity({ merchantId })).toBeNull();
    expect(await reasonOf(api.register({ merchantId, entityId }))).toBe("participant_not_verified");
    await addVerifiedDomain(deps, { participantId: (await entry()).id, domain: "federated.example" });
    expect(await fieldOf(api.register({ merchantId, entityId: "http://x" }))).toEqual([
      "invalid_request",
      "/entity_id",
    ]);
    const foreign = api.register({ merchantId, entityId: "https://other.example" });
    expect(await fieldOf(foreign)).toEqual(["invalid_request", "/entity_id"]);
    const missing = ["federation_configuration_invalid", "/entity_id"];
    expect(await fieldOf(api.register({ merchantId, entityId }))).toEqual(missing);
    expect(await api.entity({ merchantId })).toBeNull();

    const expected = { entityId, anchorId: deps.config.discoveryUrl, nowSeconds: epochSeconds(deps.clock.now()) };
    const url = `${entityId}/.well-known/openid-federation`;
    configurations.set(url, configurationOf(expected, { keys: [makeFederationKey("one")] }));
    expect(await api.register({ merchantId, entityId: ` ${entityId} ` })).toEqual({ entityId, keyCount: 1 });
    const fetchedAt = deps.clock.now().toISOString();
    const shown = { entityId, configurationUrl: url, keyCount: 1, fetchedAt };
    expect(await api.entity({ merchantId })).toMatchObject({ ...shown, state: "subordinate", problem: null });

    configurations.clear();
    deps.clock.advance(3600);
    await recheckEntities(deps, { limit: 10, requestId: "req_check" });
    expect(await api.entity({ merchantId })).toMatchObject({ state: "failing", problem: expect.any(String) });
    await deps.db.prisma.participantDomain.updateMany({
      where: { domain: "federated.example" },
      data: { verifiedAt: null },
    });
    expect(await api.entity({ merchantId })).toMatchObject({ state: "inactive" });
    deps.clock.advance(73 * 3600);
    await recheckEntities(deps, { limit: 10, requestId: "req_check" });
    expect(await api.entity({ merchantId })).toMatchObject({ state: "left" });
    await api.remove({ merchantId });
    expect(await api.entity({ merchantId })).toBeNull();
    expect(await reasonOf(api.remove({ merchantId }))).toBe("federation_entity_not_found");
  });
});
