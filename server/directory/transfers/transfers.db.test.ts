import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { updateEntrySuspension } from "../../data/directory/participant-changes.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { searchOwnAudit } from "../../merchants/audit/search-merchant-audit.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { createAgentToken } from "../../oauth/initial-tokens/agent-tokens.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { issueSoftwareStatement } from "../../oauth/software-statements/issue-software-statement.ts";
import { claimDomain } from "../domains/claim-domain.ts";
import { listParticipantKeys } from "../keys/find-keys.ts";
import { setListing } from "../merchant-entries/set-listing.ts";
import { editParticipant } from "../participants/edit-participant.ts";
import { listParticipants } from "../participants/list-participants.ts";
import { lockOwnParticipant } from "../participants/lock-own-participant.ts";
import { expireTransfers } from "./expire-transfers.ts";
import { findRecipient } from "./find-recipient.ts";
import { listOpenTransfers } from "./list-transfers.ts";
import {
  auditOf,
  domainsOf,
  entryOfClient,
  historyOf,
  mailsTo,
  makeSide,
  outcomeOf,
  readEntry,
  registerAgent,
  type Side,
} from "./transfer.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const requestId = "req_test";
const operator = { actor: { kind: "operator", id: "acc_test" }, requestId } as const;
const days = 86_400;

const makeSides = async () => ({ from: await makeSide(deps), to: await makeSide(deps) });
const openOf = (side: Side) => listOpenTransfers(deps, side);
const suspend = ({ merchantId }: Side, isSuspended = true) =>
  setSuspension(deps, { merchantId, isSuspended, reason: "Test", ...operator });
const suspendEntry = async (id: string, isSuspended = true) => {
  const suspendedAt = isSuspended ? deps.clock.now() : null;
  await deps.db.sqlTransaction((sql) => updateEntrySuspension(sql, id, suspendedAt));
};
const list = ({ merchantId, accountId }: Side, isListed: boolean) =>
  setListing(deps, { merchantId, accountId, isListed, requestId });

const addFederationEntity = (participantId: string, entityId: string) =>
  deps.db.prisma.participantFederationEntity.create({
    data: {
      participantId,
      entityId,
      configuration: "-",
      keyThumbprints: ["thumbprint"],
      entityTypes: [],
      validUntil: addSeconds(deps.clock.now(), days),
      checkDueAt: addSeconds(deps.clock.now(), days),
    },
  });

describe("an accepted offer (docs/spec/directory.md, Transfers)", () => {
  test("the entry keeps its id, history and claims, and loses the former owner's clients, proofs and settings", async () => {
    const { from, to } = await makeSides();
    const [entry, replaced] = [await from.entryId(), await to.entryId()];
    const [oldApp, newApp] = [await from.registerApp(), await to.registerApp()];
    await from.verify("market.example");
    await to.verify("bakery.example");
    const scopes = ["directory.write"];
    const { token } = await createAgentToken(deps, {
      participantId: entry,
      clientId: oldApp,
      requestId,
      options: { scopes },
    });
    const agent = await registerAgent(deps, token);
    const software = { softwareId: "shop", clientName: "Shop", redirectUris: [], jwks: null, jwksUri: null };
    const keys = { jwksUri: "https://market.example/jwks" };
    const by = { merchantId: from.merchantId, actor: { kind: "merchant", id: from.accountId }, requestId } as const;
    const statement = { ...by, software: { ...software, ...keys }, ttlSeconds: 3600 };
    const { id: statementId } = await issueSoftwareStatement(deps, statement);
    const described = {
      displayName: "Fresh Market",
      legalName: "Fresh Market Ltd",
      websiteUri: "https://market.example/",
      logoUri: "https://market.example/logo.png",
      contacts: ["pay@market.example"],
      metadataUris: ["https://market.example/.well-known/oauth-protected-resource"],
      maxChargeAmounts: [{ currency: "EUR", amount: 1000 }],
      isWithdrawn: false,
    };
    const caller = { participantId: entry, member: from.member, requestId, server: () => serverEntry(deps) };
    await editParticipant(deps, { ...caller, edit: described, hasRead: () => true });
    await addFederationEntity(entry, "https://market.example");
    await addFederationEntity(replaced, "https://bakery.example");
    const [claimed] = await domainsOf(deps, entry);
    const [oldKeys, newKeys] = [
      (await listParticipantKeys(deps, { participantId: entry, withRetired: false })).map((key) => key.thumbprint),
      (await listParticipantKeys(deps, { participantId: replaced, withRetired: false })).map((key) => key.thumbprint),
    ];
    await deps.db.prisma.merchant.update({ where: { id: to.merchantId }, data: { displayName: "Corner Bakery" } });

    deps.clock.advance(60);
    const offer = await from.offerTo(to.merchantId);
    expect(await openOf(from)).toMatchObject({ made: { id: offer, toName: "Corner Bakery" }, received: [] });
    expect(await openOf(to)).toMatchObject({
      made: null,
      received: [{ id: offer, participantId: entry, domains: ["market.example"], status: "active" }],
      hasMore: false,
    });
    expect(await to.accept(offer)).toEqual({ participantId: entry });

    const owned = await readEntry(deps, entry);
    expect(owned).toMatchObject({
      merchant_id: to.merchantId,
      display_name: "Corner Bakery",
      roles: ["merchant"],
      status: "pending",
      website_uri: null,
      logo_uri: null,
      contacts: [],
      contact_salts: [],
      metadata_documents: [],
      verified_domains: [],
      health: null,
      federation_entity: null,
      capabilities: { limits: { max_charge_amounts: [] } },
    });
    // The new owner can register its federation entity for the entry.
    expect(await deps.db.prisma.participantFederationEntity.count()).toBe(0);
    const [version] = await historyOf(deps, entry);
    expect(version).toMatchObject({ change: "transferred", changedBy: "merchant", logIndex: expect.any(Number) });
    expect(version?.diff).toContainEqual({ op: "replace", path: "/merchant_id", value: to.merchantId });
    // The claim stays, and needs another proof.
    const claims = await domainsOf(deps, entry);
    expect(claims).toMatchObject([{ domain: "market.example", verifiedAt: null, checkDueAt: null }]);
    expect(claims[0]?.token).not.toBe(claimed?.token);

    const fresh = await from.entryId();
    expect([fresh, await to.entryId()]).toEqual([expect.stringMatching(/^ptc_/), entry]);
    expect(fresh).not.toBe(entry);
    expect(await readEntry(deps, fresh)).toMatchObject({ merchant_id: from.merchantId, roles: ["merchant", "client"] });
    expect(await domainsOf(deps, fresh)).toEqual([]);
    expect(await Promise.all([oldApp, agent, newApp].map((id) => entryOfClient(deps, id)))).toEqual([
      fresh,
      fresh,
      entry,
    ]);
    const keysOf = async (participantId: string) =>
      (await listParticipantKeys(deps, { participantId, withRetired: false })).map((key) => key.thumbprint);
    expect(await keysOf(entry)).toEqual(newKeys);
    expect((await keysOf(fresh)).toSorted()).toEqual(oldKeys.toSorted());
    expect(await keysOf(replaced)).toEqual([]);

    expect(await readEntry(deps, replaced)).toMatchObject({
      merchant_id: null,
      status: "withdrawn",
      verified_domains: [],
    });
    const statementRow = await deps.db.prisma.softwareStatement.findUniqueOrThrow({ where: { id: statementId } });
    expect(statementRow).toMatchObject({ participantId: fresh, revokedAt: deps.clock.now() });
    expect(await outcomeOf(registerAgent(deps, token))).toBe("invalid_token");

    const found = async (q: string) => (await listParticipants(deps, { q, limit: 5 })).participants.map(({ id }) => id);
    expect(await Promise.all([to.merchantId, newApp, from.merchantId, oldApp, agent].map(found))).toEqual(
      [entry, entry, fresh, fresh, fresh].map((id) => [id]),
    );
    expect(await found("market.example")).toEqual([]);

    // The former owner and its clients can't change the entry any more, and the new owner can.
    for (const former of [{ member: from.member }, { clientId: oldApp }, { clientId: agent }]) {
      const attempt = claimDomain(deps, { participantId: entry, ...former, domain: "x.example", requestId });
      expect(await outcomeOf(attempt)).toBe("not_own_participant");
    }
    for (const owner of [{ member: to.member }, { clientId: newApp }]) {
      const attempt = claimDomain(deps, { participantId: entry, ...owner, domain: "x.example", requestId });
      expect(await outcomeOf(attempt)).toBe("done");
    }
    for (const id of [entry, replaced, fresh]) expect((await historyOf(deps, id)).length).toBeGreaterThan(0);
  });

  test("both merchants get an e-mail and an audit entry for each step, and can offer the entry back", async () => {
    const { from, to } = await makeSides();
    const entry = await from.entryId();
    await to.accept(await from.offerTo(to.merchantId));
    await from.decline(await to.offerTo(from.merchantId));
    await to.cancel(await to.offerTo(from.merchantId));
    const actions = ["offered", "", "offered", "declined", "offered", "cancelled"].map((step) =>
      step === "" ? "participant.transferred" : `participant.transfer_${step}`,
    );
    for (const side of [from, to]) {
      const entries = await auditOf(deps, side.merchantId);
      expect(entries.map(({ action }) => action)).toEqual(actions);
      expect(new Set(entries.map(({ subjectId }) => subjectId))).toEqual(new Set([entry]));
      expect(await mailsTo(deps, side.accountId)).toHaveLength(6);
    }
    expect(await mailsTo(deps, from.accountId)).toContain("Fresh Market has your directory entry now");
    await from.accept(await to.offerTo(from.merchantId));
    expect(await from.entryId()).toBe(entry);
    expect((await historyOf(deps, entry)).map(({ change }) => change)).toEqual([
      "transferred",
      "transferred",
      "registered",
    ]);
  });

  test("neither merchant’s audit log names a member of the other", async () => {
    const { from, to } = await makeSides();
    await to.accept(await from.offerTo(to.merchantId));
    const actorsOf = async ({ merchantId }: Side) =>
      (await searchOwnAudit(deps, { merchantId, topic: undefined, limit: 100 })).entries
        .filter(({ action }) => action.startsWith("participant.transfer"))
        .map(({ action, actor }) => [action, actor.id]);
    expect(await actorsOf(from)).toEqual([
      ["participant.transferred", to.merchantId],
      ["participant.transfer_offered", from.accountId],
    ]);
    expect(await actorsOf(to)).toEqual([
      ["participant.transferred", to.accountId],
      ["participant.transfer_offered", from.merchantId],
    ]);
  });

  test("a merchant without an entry gets the entry", async () => {
    const [from, to] = [await makeSide(deps), await makeSide(deps, { isEnrolled: false })];
    const entry = await from.entryId();
    await to.accept(await from.offerTo(to.merchantId));
    expect(await to.entryId()).toBe(entry);
    expect(await readEntry(deps, await from.entryId())).toMatchObject({ merchant_id: from.merchantId, version: 1 });
  });
});

describe("who can offer and end an offer", () => {
  test("only the two sides can end an offer; others get the answer for an unknown offer", async () => {
    const { from, to } = await makeSides();
    const other = await makeSide(deps);
    const offer = await from.offerTo(to.merchantId);
    const attempts = [
      ...[from, other].flatMap((side) => [() => side.accept(offer), () => side.decline(offer)]),
      ...[to, other].map((side) => () => side.cancel(offer)),
      () => to.accept("ptt_unknown"),
    ];
    for (const attempt of attempts) expect(await outcomeOf(attempt())).toBe("transfer_not_open");
    expect(await openOf(other)).toEqual({ made: null, received: [], hasMore: false });
    await to.decline(offer);
    for (const attempt of [() => to.accept(offer), () => to.decline(offer), () => from.cancel(offer)]) {
      expect(await outcomeOf(attempt())).toBe("transfer_not_open");
    }
    expect(await readEntry(deps, await from.entryId())).toMatchObject({ merchant_id: from.merchantId });
  });

  test("a merchant without an entry can't make an offer; an entry can't be offered to its own, an unknown, an unapproved or a suspended merchant", async () => {
    const { from, to } = await makeSides();
    const refused = async (toMerchantId: string) => [
      await outcomeOf(from.offerTo(toMerchantId)),
      await outcomeOf(findRecipient(deps, { merchantId: from.merchantId, toMerchantId })),
    ];
    const pending = await makeSide(deps, { isEnrolled: false });
    await deps.db.prisma.merchant.update({ where: { id: pending.merchantId }, data: { review: "pending" } });
    await suspend(to);
    for (const id of [from.merchantId, to.merchantId, pending.merchantId, "mch_unknown"]) {
      expect(await refused(id)).toEqual(["invalid_request", "invalid_request"]);
    }
    await suspend(to, false);
    expect(await findRecipient(deps, { merchantId: from.merchantId, toMerchantId: to.merchantId })).toEqual({
      name: "Fresh Market",
    });
    expect(await outcomeOf(pending.offerTo(to.merchantId))).toBe("participant_not_found");
  });

  test("an entry that is withdrawn or whose merchant is suspended can't be offered, and can't be accepted", async () => {
    const { from, to } = await makeSides();
    await list(from, false);
    expect(await outcomeOf(from.offerTo(to.merchantId))).toBe("participant_withdrawn");
    await list(from, true);
    const offer = await from.offerTo(to.merchantId);
    await list(from, false);
    expect(await outcomeOf(to.accept(offer))).toBe("participant_withdrawn");
    await list(from, true);
    await suspend(from);
    expect(await outcomeOf(to.accept(offer))).toBe("participant_suspended");
    await suspend(from, false);
    await suspend(to);
    expect(await outcomeOf(to.accept(offer))).toBe("recipient_suspended");
    await suspend(to, false);
    expect(await outcomeOf(to.accept(offer))).toBe("done");
  });

  test("an entry that an operator suspended can't be offered or accepted, and its merchant can't accept another entry", async () => {
    const { from, to } = await makeSides();
    const [offered, own] = [await from.entryId(), await to.entryId()];
    const offer = await from.offerTo(to.merchantId);
    await suspendEntry(offered);
    await expect(to.accept(offer)).rejects.toMatchObject({
      code: "participant_suspended",
      message: "The entry is suspended. It can’t be accepted until the suspension ends.",
    });
    await suspendEntry(offered, false);

    await suspendEntry(own);
    const ownSuspended = {
      code: "participant_suspended",
      message: "Your own entry is suspended. You can accept another entry when the suspension ends.",
    };
    await expect(to.accept(offer)).rejects.toMatchObject(ownSuspended);
    expect(await outcomeOf(to.offerTo(from.merchantId))).toBe("participant_suspended");
    await suspendEntry(own, false);
    await list(to, false);
    await suspendEntry(own);
    await expect(to.accept(offer)).rejects.toMatchObject(ownSuspended);
    expect([await from.entryId(), await to.entryId()]).toEqual([offered, own]);
    expect((await openOf(to)).received).toMatchObject([{ id: offer }]);

    await suspendEntry(own, false);
    expect(await outcomeOf(to.accept(offer))).toBe("done");
    expect(await to.entryId()).toBe(offered);
  });

  test("a merchant that offers its own entry must cancel this offer before it accepts another entry", async () => {
    const { from, to } = await makeSides();
    const offer = await from.offerTo(to.merchantId);
    const own = await to.offerTo(from.merchantId);
    expect(await outcomeOf(to.accept(offer))).toBe("own_entry_offered");
    await to.cancel(own);
    expect(await outcomeOf(to.accept(offer))).toBe("done");
  });

  test("the entry of the authorization server belongs to no merchant, so no one can offer it", async () => {
    const { from } = await makeSides();
    const attempt = deps.db.sqlTransaction((sql) =>
      lockOwnParticipant(sql, { participantId: serverParticipantId, member: from.member }),
    );
    expect(await outcomeOf(attempt)).toMatch(/^not_own_participant|participant_not_found$/);
  });

  test("a merchant can make at most five offers in 24 hours, one at a time", async () => {
    const { from, to } = await makeSides();
    for (let count = 1; count <= 5; count += 1) {
      const offer = await from.offerTo(to.merchantId);
      expect(await outcomeOf(from.offerTo(to.merchantId))).toBe(
        count === 5 ? "too_many_transfers" : "transfer_offered",
      );
      await from.cancel(offer);
    }
    expect(await outcomeOf(from.offerTo(to.merchantId))).toBe("too_many_transfers");
    deps.clock.set(addSeconds(deps.clock.now(), days));
    expect(await outcomeOf(from.offerTo(to.merchantId))).toBe("done");
  });
});

describe("an offer that isn't answered", () => {
  test("can't be accepted after 14 days, and is ended once, with an e-mail to both sides", async () => {
    const { from, to } = await makeSides();
    const offer = await from.offerTo(to.merchantId);
    deps.clock.set(addSeconds(deps.clock.now(), 14 * days - 1));
    expect((await openOf(to)).received).toHaveLength(1);
    deps.clock.advance(1);
    expect(await openOf(to)).toEqual({ made: null, received: [], hasMore: false });
    expect((await openOf(from)).made).toBeNull();
    for (const attempt of [() => to.accept(offer), () => to.decline(offer), () => from.cancel(offer)]) {
      expect(await outcomeOf(attempt())).toBe("transfer_not_open");
    }
    const run = () => expireTransfers(deps, { limit: 10, requestId });
    const ended = await Promise.all([run(), run(), run()]);
    // Offers of earlier tests expire too.
    expect(ended.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0);
    expect(await run()).toBe(0);
    for (const side of [from, to]) {
      const actions = (await auditOf(deps, side.merchantId)).map(({ action }) => action);
      expect(actions).toEqual(["participant.transfer_offered", "participant.transfer_expired"]);
      expect(await mailsTo(deps, side.accountId)).toContain("The offer of the directory entry of Fresh Market expired");
    }
  });

  test("doesn't prevent another offer after it has expired, even before the job ended it", async () => {
    const { from, to } = await makeSides();
    const first = await from.offerTo(to.merchantId);
    deps.clock.set(addSeconds(deps.clock.now(), 14 * days));
    const second = await from.offerTo(to.merchantId);
    expect(await outcomeOf(to.accept(first))).toBe("transfer_not_open");
    expect(await outcomeOf(to.accept(second))).toBe("done");
  });
});
