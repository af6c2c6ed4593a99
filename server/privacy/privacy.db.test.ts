import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient, makeGrant, makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { recordSignIn } from "../accounts/history/record-sign-in.ts";
import { chooseNotification } from "../accounts/notifications/choose-notification.ts";
import { listNotifications } from "../accounts/notifications/list-notifications.ts";
import { openSession, passwordAcr } from "../accounts/sessions/sessions.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { readRecords } from "../data/privacy/account-records.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { disconnectClient } from "../oauth/connected/disconnect-client.ts";
import { listConnectedClients } from "../oauth/connected/list-connected-clients.ts";
import { queueRenderedMail } from "../platform/mail/queue-rendered-mail.ts";
import { sendDueMail } from "../platform/mail/send-due-mail.ts";
import { cancelDeletion } from "./cancel-deletion.ts";
import { deleteDueAccount } from "./delete-due-account.ts";
import { findDataExport } from "./find-data-export.ts";
import { findDeletionDate } from "./find-deletion-date.ts";
import { listDataExports } from "./list-data-exports.ts";
import { prepareDataExport } from "./prepare-data-export.ts";
import { requestDataExport } from "./request-data-export.ts";
import { requestDeletion } from "./request-deletion.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const requestId = "req_test";
const info = { requestId, ipAddress: "192.0.2.1", userAgent: "Vitest" };
const day = 86_400;

/** A payer with a session, a mandate and a charge. */
const makePerson = async () => {
  const mandate = await makeChargeableMandate(deps);
  await mandate.charge();
  const { id } = mandate.payer;
  const { sessionId } = await deps.db.transaction((tx) =>
    openSession(tx, { accountId: id, acr: passwordAcr, info, now: deps.clock.now() }),
  );
  await recordSignIn(deps, deps.db.sql, { accountId: id, outcome: "signed_in", info });
  const account = await deps.db.prisma.account.findUniqueOrThrow({ where: { id } });
  return { ...mandate, account, sessionId };
};
/** A mail with a secret to a former address, and a mail without one. */
const queueOldMails = async ({ id: accountId, email }: { id: string; email: string }) => {
  const mail = {
    html: "",
    unsubscribeUrl: null,
    obsoleteAfter: null,
    aboutAccountId: null,
    formerRecipientId: null,
    requestId,
  };
  const reset = { kind: "verification", recipients: ["old@payer.example"], subject: "Code", text: "000111" };
  await queueRenderedMail(deps, deps.db.sql, { ...mail, ...reset, formerRecipientId: accountId });
  deps.clock.advance(1);
  const text = "You approved it. http://wallet.test/notifications?token=acc_1.mac";
  const consent = { kind: "consent_given", recipients: [email], subject: "Consent", text };
  await queueRenderedMail(deps, deps.db.sql, { ...mail, ...consent });
  // A code for an address that isn't verified.
  const code = { kind: "email_change_code", recipients: ["new@payer.example"], subject: "Code", text: "000222" };
  await queueRenderedMail(deps, deps.db.sql, { ...mail, ...code, formerRecipientId: accountId });
};
const mailsTo = async (recipient: string) =>
  (
    await deps.db.prisma.$queryRaw<
      { kind: string }[]
    >`SELECT kind FROM mail WHERE recipient = ${recipient} ORDER BY created_at`
  ).map(({ kind }) => kind);
const stateOf = async (id: string) => (await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id } })).state;
const accountOf = (id: string) => deps.db.prisma.account.findUniqueOrThrow({ where: { id } });

describe("connected apps (docs/spec/portal.md, Connected apps)", () => {
  test("each client is on one page, even if several were connected at the same time or the cursor's client has been disconnected", async () => {
    const { id: payerId } = await makePayer(deps);
    const ids: string[] = [];
    for (const seconds of [1, 0, 0, 1, 1]) {
      deps.clock.advance(seconds);
      const { id: clientId } = await makeAgentClient(deps);
      await makeGrant(deps, { clientId, payerId });
      ids.push(clientId);
    }
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = ids;
    const sameInstant = [first, second, third].toSorted();
    const pageAfter = async (startingAfter?: string) => {
      const { clients, hasMore } = await listConnectedClients(deps, { payerId, startingAfter, limit: 2 });
      return [clients.map(({ id }) => id), hasMore];
    };
    expect(await pageAfter()).toEqual([[fifth, fourth], true]);
    expect(await pageAfter(fourth)).toEqual([sameInstant.slice(0, 2), true]);
    expect(await pageAfter(sameInstant[1])).toEqual([sameInstant.slice(2), false]);
    await disconnectClient(deps, { payerId, clientId: fourth, requestId });
    expect(await pageAfter(fourth)).toEqual([sameInstant.slice(0, 2), true]);
    const { agent } = await makePerson();
    expect(await pageAfter(agent.id)).toEqual([[], false]);
  });

  test("disconnecting a client ends all its grants and mandates for the payer, but not those for other payers", async () => {
    const [own, other] = [await makePerson(), await makePerson()];
    const input = { payerId: own.account.id, requestId };
    const page = { ...input, limit: 10 };
    const {
      clients: [connected],
    } = await listConnectedClients(deps, page);
    expect(connected).toMatchObject({ id: own.agent.id, liveMandates: 1 });
    const find = async (search: string) =>
      (await listConnectedClients(deps, { ...page, search })).clients.map(({ id }) => id);
    expect(await find((connected?.name ?? "").slice(1).toUpperCase())).toEqual([own.agent.id]);
    expect(await find("%")).toEqual([]);
    expect((await refusalOf(disconnectClient(deps, { ...input, clientId: other.agent.id }))).code).toBe(
      "client_not_connected",
    );
    expect(await disconnectClient(deps, { ...input, clientId: own.agent.id })).toBe(1);
    expect([await stateOf(own.mandateId), await stateOf(other.mandateId)]).toEqual(["revoked", "active"]);
    expect(await listConnectedClients(deps, page)).toEqual({ clients: [], hasMore: false });
    expect((await refusalOf(disconnectClient(deps, { ...input, clientId: own.agent.id }))).code).toBe(
      "client_not_connected",
    );
  });
});

describe("notifications (docs/spec/portal.md, Notifications)", () => {
  test("a kind of e-mail is on until the payer turns it off, and a repeated choice changes nothing", async () => {
    const { account } = await makePerson();
    const choose = (isOn: boolean) =>
      chooseNotification(deps, { accountId: account.id, kind: "limit_near", isOn, requestId });
    const isOn = async () =>
      (await listNotifications(deps, { accountId: account.id })).find(({ kind }) => kind === "limit_near")?.isOn;
    expect(await isOn()).toBe(true);
    for (const wanted of [false, false, true, true]) {
      await choose(wanted);
      expect(await isOn()).toBe(wanted);
    }
  });
});

describe("data export (docs/spec/portal.md, Privacy)", () => {
  test("one worker prepares an export with the account's own records and no secrets", async () => {
    const [own, other] = [await makePerson(), await makePerson()];
    const accountId = own.account.id;
    await deps.db.prisma.$executeRaw`
      INSERT INTO charge_notice (id, merchant_id, merchant_client_id, idempotency_key, body_hash, mandate_id, payer_id, amount,
        currency, reference, due_at, created_at)
      SELECT 'ntc_own', merchant_id, 'client', 'key', 'hash', mandate_id, payer_id, 500, 'EUR', 'Delivery', now(), now()
        FROM charge WHERE payer_id = ${accountId}`;
    await deps.db.prisma.$executeRaw`
      INSERT INTO refund (id, charge_id, merchant_id, mandate_id, merchant_client_id, payer_id, agent_client_id, amount, status,
        reason, metadata, created_at, updated_at)
      SELECT 'rfd_own', id, merchant_id, mandate_id, merchant_client_id, payer_id, agent_client_id, 100, 'failed',
             'other', '{"note": "Damaged", "internal": "000111"}', now(), now()
        FROM charge WHERE payer_id = ${accountId}`;
    await deps.db.prisma.$executeRaw`
      INSERT INTO dispute (id, charge_id, merchant_id, mandate_id, status, amount, currency, reason, dispute_ref, created_at,
        closed_at)
      SELECT 'dsp_own', id, merchant_id, mandate_id, 'won', 200, currency, 'fraudulent', 'ref', now(), now()
        FROM charge WHERE payer_id = ${accountId}`;
    await queueOldMails(own.account);
    await Promise.all(Array.from({ length: 5 }, () => requestDataExport(deps, { accountId, requestId })));
    const prepared = await Promise.all(Array.from({ length: 3 }, () => prepareDataExport(deps)));
    expect(prepared.filter(Boolean)).toHaveLength(1);
    const [made, ...more] = await listDataExports(deps, { accountId });
    expect([made?.isReady, more]).toEqual([true, []]);
    const id = made?.id ?? "";
    const text = String(await findDataExport(deps, { id, accountId }));
    const data = JSON.parse(text);
    expect(data.account).toMatchObject({ id: accountId, email: own.account.email });
    expect(data.mandates).toMatchObject([{ id: own.mandateId, state: "active", versions: [{ version: 1 }] }]);
    expect(data.charge_notices).toMatchObject([{ id: "ntc_own", amount: 500, reference: "Delivery" }]);
    expect(data.charges).toMatchObject([
      {
        refunds: [{ id: "rfd_own", amount: 100, note: "Damaged" }],
        disputes: [{ id: "dsp_own", amount: 200, status: "won" }],
      },
    ]);
    // Without tokens, and without the code for a new address.
    const consentText = "You approved it. http://wallet.test/notifications?token=…";
    expect(data.emails).toMatchObject([
      { kind: "verification", recipient: "old@payer.example", subject: "Code", text: null },
      { kind: "consent_given", recipient: own.account.email, subject: "Consent", text: consentText },
    ]);
    expect(data.sessions).toMatchObject([{ id: own.sessionId, ip_address: "192.0.2.1" }]);
    expect(data.sign_ins).toMatchObject([{ outcome: "signed_in", ip_address: "192.0.2.1" }]);
    for (const absent of [
      other.account.id,
      other.mandateId,
      "secret_hash",
      "password",
      "processor_ref",
      "000111",
      "000222",
    ]) {
      expect(text).not.toContain(absent);
    }
    expect(await findDataExport(deps, { id, accountId: other.account.id })).toBeNull();
    expect(await mailsTo(own.account.email)).toEqual(["consent_given", "data_export_ready"]);
  });

  test("the content is encrypted at rest, and expires after 7 days", async () => {
    const { account } = await makePerson();
    await requestDataExport(deps, { accountId: account.id, requestId });
    await prepareDataExport(deps);
    const { id, content } = await deps.db.prisma.dataExport.findFirstOrThrow({ where: { accountId: account.id } });
    expect(Buffer.from(content ?? []).includes(gzipSync("").subarray(0, 3))).toBe(false);
    deps.clock.advance(7 * day);
    expect(await findDataExport(deps, { id, accountId: account.id })).toBeNull();
  });

  test("if a worker stops while it prepares an export, another worker prepares the export after the lease has expired", async () => {
    const { account } = await makePerson();
    await requestDataExport(deps, { accountId: account.id, requestId });
    const leaseUntil = new Date(deps.clock.now().getTime() + 300_000);
    await deps.db.prisma.dataExport.updateMany({ where: { accountId: account.id }, data: { leaseUntil } });
    expect(await prepareDataExport(deps)).toBe(false);
    deps.clock.advance(301);
    expect(await prepareDataExport(deps)).toBe(true);
  });

  test("a section with several pages is complete and in order", async () => {
    const { account } = await makePerson();
    const at = deps.clock.now();
    await deps.db.prisma.passkey.createMany({
      data: Array.from({ length: 1_203 }, (_, index) => ({
        id: `psk_${account.id}_${String(index).padStart(5, "0")}`,
        accountId: account.id,
        credentialId: `${account.id}_${index}`,
        publicKey: new Uint8Array(1),
        counter: 0n,
        transports: [],
        name: "x",
        isBackedUp: false,
        createdAt: new Date(at.getTime() + Math.floor(index / 7)),
      })),
    });
    const ids: unknown[] = [];
    for await (const rows of readRecords(deps.db.sql, { section: "passkeys", accountId: account.id })) {
      ids.push(...rows.map((row) => row["id"]));
    }
    expect([ids.length, ids]).toEqual([1_203, [...new Set(ids)].toSorted()]);
  });
});

describe("deletion of an account (docs/spec/portal.md, Privacy)", () => {
  test("mandates stop immediately, personal data is removed after 14 days, and records are kept without the person's name", async () => {
    const { account, mandateId, sessionId } = await makePerson();
    const merchant = await makeMerchant(deps);
    const countInvitations = () => deps.db.prisma.merchantInvitation.count({ where: { email: account.email } });
    const at = deps.clock.now();
    const dates = { createdAt: at, sentAt: at, expiresAt: at, acceptedAt: at };
    const invitation = { id: "inv_of_deleted", merchantId: merchant.id, email: account.email, role: "viewer" as const };
    await deps.db.prisma.merchantInvitation.create({
      data: { ...invitation, ...dates, tokenHash: "-", invitedBy: "acc_other", acceptedBy: account.id },
    });
    await requestDeletion(deps, { account, requestId });
    await requestDeletion(deps, { account, requestId });
    expect(await stateOf(mandateId)).toBe("revoked");
    expect(await findDeletionDate(deps, { accountId: account.id })).toEqual(
      new Date(deps.clock.now().getTime() + 14 * day * 1_000),
    );
    deps.clock.advance(14 * day - 1);
    expect(await deleteDueAccount(deps)).toBe(false);
    expect(await countInvitations()).toBe(1);
    deps.clock.advance(1);
    const deleted = await Promise.all([deleteDueAccount(deps), deleteDueAccount(deps), deleteDueAccount(deps)]);
    expect(deleted.filter(Boolean)).toHaveLength(1);
    const { email, displayName, passwordHash } = await accountOf(account.id);
    expect([displayName, passwordHash]).toEqual(["Deleted account", null]);
    expect(await countInvitations()).toBe(0);
    expect(email).toMatch(/^deleted-.*@deleted\.invalid$/);
    const session = await deps.db.prisma.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect([session.revokedAt !== null, session.ipAddress]).toEqual([true, ""]);
    expect(await deps.db.prisma.paymentMethod.count({ where: { payerId: account.id, removedAt: null } })).toBe(0);
    expect(await deps.db.prisma.charge.count({ where: { payerId: account.id } })).toBe(1);
    expect(await mailsTo(account.email)).toEqual(["account_deleted"]);
    const sent: string[] = [];
    const send = async ({ recipient }: { recipient: string }) => {
      sent.push(recipient);
      return { kind: "sent" } as const;
    };
    await sendDueMail(deps, send, { limit: 100 });
    expect(sent).toContain(account.email);
    expect(await mailsTo(account.email)).toEqual([]);
  });

  test("a payer can keep the account until the last second, but ended mandates aren't restored", async () => {
    const { account, mandateId } = await makePerson();
    await requestDeletion(deps, { account, requestId });
    deps.clock.advance(14 * day - 1);
    await cancelDeletion(deps, { account, requestId });
    await cancelDeletion(deps, { account, requestId });
    deps.clock.advance(day);
    expect(await deleteDueAccount(deps)).toBe(false);
    expect([await stateOf(mandateId), (await accountOf(account.id)).email]).toEqual(["revoked", account.email]);
    expect(await mailsTo(account.email)).toEqual(["deletion_scheduled", "deletion_cancelled"]);
  });

  test("an account that became an operator or the only owner of a merchant isn't deleted until it gives up these roles", async () => {
    const { account } = await makePerson();
    await requestDeletion(deps, { account, requestId });
    const merchant = await makeMerchant(deps);
    const membership = { merchantId: merchant.id, accountId: account.id, role: "owner" as const };
    await deps.db.prisma.merchantMember.create({ data: { ...membership, createdAt: deps.clock.now() } });
    await deps.db.prisma.account.update({ where: { id: account.id }, data: { operatorRole: "viewer" } });
    deps.clock.advance(14 * day);
    expect(await deleteDueAccount(deps)).toBe(false);
    await deps.db.prisma.account.update({ where: { id: account.id }, data: { operatorRole: null } });
    expect(await deleteDueAccount(deps)).toBe(false);
    await deps.db.prisma.merchantMember.deleteMany({ where: { accountId: account.id } });
    expect(await deleteDueAccount(deps)).toBe(true);
  });

  test("a cancellation and the deletion job never both succeed", async () => {
    for (let round = 0; round < 5; round++) {
      const { account } = await makePerson();
      await requestDeletion(deps, { account, requestId });
      deps.clock.advance(14 * day);
      await Promise.all([deleteDueAccount(deps), cancelDeletion(deps, { account, requestId })]);
      const { deletedAt, deletionRequestedAt } = await accountOf(account.id);
      expect(deletedAt === null).toBe(deletionRequestedAt === null);
    }
  });

  test("if the deletions of a merchant's two owners are due at the same time, one account is kept until there is another owner", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const owners = await Promise.all([makePayer(deps), makePayer(deps)]);
    const requestedAt = addSeconds(deps.clock.now(), -14 * day);
    for (const { id: accountId } of owners) {
      await deps.db.prisma.merchantMember.create({
        data: { merchantId, accountId, role: "owner", createdAt: requestedAt },
      });
      await deps.db.prisma.account.update({ where: { id: accountId }, data: { deletionRequestedAt: requestedAt } });
    }
    await Promise.all(Array.from({ length: 4 }, () => deleteDueAccount(deps)));
    expect(await deps.db.prisma.merchantMember.count({ where: { merchantId, role: "owner" } })).toBe(1);
  });

  test("operators and the only owner of a merchant must give up these roles first; until then, mandates don't end", async () => {
    const { account, mandateId } = await makePerson();
    const merchant = await makeMerchant(deps);
    const membership = { merchantId: merchant.id, accountId: account.id, role: "owner" as const };
    await deps.db.prisma.merchantMember.create({ data: { ...membership, createdAt: deps.clock.now() } });
    expect((await refusalOf(requestDeletion(deps, { account, requestId }))).code).toBe("merchant_owner");
    await deps.db.prisma.merchantMember.deleteMany({ where: { accountId: account.id } });
    await deps.db.prisma.account.update({ where: { id: account.id }, data: { operatorRole: "viewer" } });
    expect((await refusalOf(requestDeletion(deps, { account, requestId }))).code).toBe("operator_account");
    expect(await stateOf(mandateId)).toBe("active");
  });
});
