import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { statement } from "../../data/client.ts";
import { verifiedDomainsOf } from "../../data/directory/client-parties.ts";
import { findParticipantOfMerchant, insertParticipant } from "../../data/directory/participant-changes.ts";
import { claimDomain, giveUpDomain } from "../../directory/domains/claim-domain.ts";
import { removeFederationEntity } from "../../directory/federation/register-entity.ts";
import { setListing } from "../../directory/merchant-entries/set-listing.ts";
import { editParticipant } from "../../directory/participants/edit-participant.ts";
import { listParticipants } from "../../directory/participants/list-participants.ts";
import { recordVersion } from "../../directory/participants/record-version.ts";
import { newId } from "../../kernel/ids.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { listAgentTokens } from "../../oauth/initial-tokens/agent-tokens.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { getEntry } from "./get-entry.ts";
import { setEntrySuspension } from "./set-entry-suspension.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const by = { actor: { kind: "operator", id: "acc_operator" } as const, requestId: "req_test" };
const reason = "It copies the name of a bank";
const set = (participantId: string, isSuspended: boolean, on: TestDeps = deps) =>
  setEntrySuspension(on, { participantId, isSuspended, reason, ...by });
const edit = {
  displayName: "Ace Bank",
  legalName: null,
  websiteUri: null,
  logoUri: null,
  contacts: [],
  metadataUris: [],
  maxChargeAmounts: [],
  isWithdrawn: false,
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );

/** The active entry of an agent's owner, or of a merchant, with a verified domain. */
const makeEntry = async (merchantId: string | null = null, role: "client" | "authorization_server" = "client") => {
  const [created, at] = [role === "client" ? newId("ptc") : serverParticipantId, deps.clock.now()];
  return deps.db.sqlTransaction(async (sql) => {
    const known = merchantId === null ? null : await findParticipantOfMerchant(sql, merchantId);
    const id = known ?? created;
    if (known === null) {
      await insertParticipant(sql, { id, role, merchantId, displayName: "Ace Bank", legalName: null, at });
    }
    if (role === "authorization_server") return id;
    await sql.query(verify, [id, `${id.replaceAll("_", "").toLowerCase()}.example`, at]);
    await recordVersion(sql, {
      id,
      change: "registered",
      changedBy: "client",
      at,
      environment: deps.config.environment,
    });
    return id;
  });
};
const verify = statement<never>(
  "test_verify_domain",
  `INSERT INTO participant_domain (participant_id, domain, token, claimed_at, verified_at)
   VALUES ($1, $2, 'token', $3::timestamptz, $3::timestamptz)`,
);
const domains = statement<{ domains: string[] }>("test_domains", `SELECT ${verifiedDomainsOf("$1::text")} AS domains`);
const verifiedDomains = async (id: string) => (await deps.db.sql.query(domains, [id]))[0]?.domains ?? [];
const changesOf = async (participantId: string) =>
  (await deps.db.prisma.participantVersion.findMany({ where: { participantId }, orderBy: { version: "asc" } })).map(
    ({ change, changedBy }) => `${change} by ${changedBy}`,
  );

const join = async (merchantId: string, role: "owner" | "admin" | "developer") => {
  const { id: accountId } = await makePayer(deps);
  await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role, createdAt: deps.clock.now() } });
  return `${accountId.toLowerCase()}@example.test`;
};

describe("an operator suspends an entry of the directory (docs/spec/portal.md, Directory in the console)", () => {
  test("its clients are no longer verified, and the history and the audit log have the change", async () => {
    const id = await makeEntry();
    expect(await verifiedDomains(id)).toHaveLength(1);
    expect(await set(id, true)).toEqual({ isNew: true });
    expect(await verifiedDomains(id)).toEqual([]);
    const { entry, domains: claims, history } = await getEntry(deps, { participantId: id });
    expect(entry).toMatchObject({ status: "suspended", suspendedAt: deps.clock.now() });
    expect(claims).toHaveLength(1);
    expect(history).toMatchObject([
      { action: "participant.suspended", actorKind: "operator", actorId: "acc_operator", data: { reason } },
    ]);
    const found = await listParticipants(deps, { q: id, status: "suspended", limit: 10 });
    expect(found.participants.map((one) => one.id)).toEqual([id]);
    await set(id, false);
    expect((await getEntry(deps, { participantId: id })).entry).toMatchObject({ status: "active", suspendedAt: null });
    expect(await verifiedDomains(id)).toHaveLength(1);
    expect(await changesOf(id)).toEqual(["registered by client", "suspended by operator", "resumed by operator"]);
    const versions = await deps.db.prisma.participantVersion.findMany({ where: { participantId: id } });
    expect(JSON.stringify(versions.map(({ document, logEntry }) => [document, logEntry]))).not.toContain(reason);
  });

  test("the merchant isn't suspended, but can't change the entry", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const id = await makeEntry(merchantId);
    await set(id, true);
    const withdraw = () => setListing(deps, { merchantId, accountId: "acc_1", isListed: false, requestId: "req_test" });
    expect(await codeOf(withdraw())).toBe("participant_suspended");
    expect((await deps.db.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } })).suspendedAt).toBeNull();
    await set(id, false);
    expect(await codeOf(withdraw())).toBeNull();
  });

  test("a withdrawn entry can't be changed or listed again while it or its merchant is suspended", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const id = await makeEntry(merchantId);
    const list = (isListed: boolean) =>
      setListing(deps, { merchantId, accountId: "acc_1", isListed, requestId: "req_test" });
    await list(false);
    const [domain = ""] = (await getEntry(deps, { participantId: id })).domains.map((claim) => claim.domain);
    const own = { participantId: id, member: { accountId: "acc_1", merchantId }, requestId: "req_test" };
    const change = { ...own, edit, hasRead: () => true, server: () => serverEntry(deps) };
    const changes = [
      () => list(true),
      () => editParticipant(deps, { ...change, edit: { ...edit, isWithdrawn: true } }),
      () => editParticipant(deps, change),
      () => giveUpDomain(deps, { ...own, domain }),
      () => removeFederationEntity(deps, own),
      () => claimDomain(deps, { ...own, domain: "bank.example" }),
    ];
    const suspendMerchant = (isSuspended: boolean) =>
      setSuspension(deps, { merchantId, isSuspended, reason: "Test", ...by });
    for (const suspend of [(isSuspended: boolean) => set(id, isSuspended), suspendMerchant]) {
      await suspend(true);
      const known = await changesOf(id);
      for (const attempt of changes) expect(await codeOf(attempt())).toBe("participant_suspended");
      expect(await changesOf(id)).toEqual(known);
      expect((await getEntry(deps, { participantId: id })).entry.status).toBe("withdrawn");
      // What the entry has issued can still be seen and revoked.
      const page = { limit: 10, startingAfter: null, endingBefore: null };
      expect(await listAgentTokens(deps, { ...own, ...page })).toMatchObject({ tokens: [] });
      await suspend(false);
    }
    await list(true);
    expect((await getEntry(deps, { participantId: id })).entry.status).toBe("active");
  });

  test("while the entry's merchant is suspended, no e-mail says that the entry is no longer suspended", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const id = await makeEntry(merchantId);
    const recipient = await join(merchantId, "owner");
    const suspendMerchant = (isSuspended: boolean) =>
      setSuspension(deps, { merchantId, isSuspended, reason: "Test", ...by });
    const sent = async () =>
      (await deps.db.prisma.mail.findMany({ where: { recipient }, orderBy: { createdAt: "asc" } })).map(
        ({ kind }) => kind,
      );
    const steps = [() => set(id, true), () => suspendMerchant(true), () => set(id, false)];
    for (const step of [...steps, () => suspendMerchant(false)]) {
      deps.clock.advance(1);
      expect(await step()).toEqual({ isNew: true });
    }
    const first = ["entry_suspended", "merchant_suspended", "merchant_resumed"];
    expect(await sent()).toEqual(first);
    for (const step of [() => set(id, true), () => set(id, false)]) {
      deps.clock.advance(1);
      await step();
    }
    expect(await sent()).toEqual([...first, "entry_suspended", "entry_resumed"]);
  });

  test("the owners and admins get one e-mail about each change, without the reason", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const id = await makeEntry(merchantId);
    const [owner, admin] = [await join(merchantId, "owner"), await join(merchantId, "admin")];
    const developer = await join(merchantId, "developer");
    for (const isSuspended of [true, true, false]) await set(id, isSuspended);
    const recipients = { kind: { startsWith: "entry_" }, recipient: { in: [owner, admin, developer] } };
    const mails = await deps.db.prisma.mail.findMany({ where: recipients });
    const sent = mails.map(({ kind, recipient }) => `${kind} to ${recipient}`).toSorted();
    const kinds = ["entry_resumed", "entry_suspended"];
    expect(sent).toEqual(kinds.flatMap((kind) => [owner, admin].map((to) => `${kind} to ${to}`)).toSorted());
    for (const { text, html } of mails) {
      expect(text).toContain(`${deps.config.walletUrl}/merchant/directory`);
      expect(text + html).not.toContain(reason);
    }
  });

  test("twenty concurrent calls on two nodes make one version and one audit entry", async () => {
    const [id, node] = [await makeEntry(), await anotherNode(deps)];
    const calls = Array.from({ length: 20 }, (_, index) => set(id, true, index % 2 === 0 ? deps : node));
    expect((await Promise.all(calls)).filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await changesOf(id)).toEqual(["registered by client", "suspended by operator"]);
    expect((await getEntry(deps, { participantId: id })).history).toHaveLength(1);
    await node.close();
  });

  test("the authorization server's own entry and an unknown entry are refused", async () => {
    expect(await codeOf(set(await makeEntry(null, "authorization_server"), true))).toBe("server_entry");
    expect(await codeOf(set("ptc_nowhere", true))).toBe("participant_not_found");
    expect(await codeOf(getEntry(deps, { participantId: "ptc_nowhere" }))).toBe("participant_not_found");
  });
});
