import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { beginEmailChange } from "../accounts/email-change/begin-email-change.ts";
import { confirmEmailCode } from "../accounts/email-change/confirm-email-code.ts";
import { openSessionOf } from "../accounts/security.fixture.ts";
import { scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { newId } from "../kernel/ids.ts";
import { changeMember } from "../merchants/team/change-member.ts";
import { inviteMember } from "../merchants/team/invite-member.ts";
import { joinTeam } from "../merchants/team/join-team.ts";
import { transferOwnership } from "../merchants/team/transfer-ownership.ts";
import { queueMailBatch } from "../platform/mail/queue-mail-batch.ts";
import { queueMailToAll } from "../platform/mail/queue-mail-to-all.ts";
import { deleteDueAccount } from "./delete-due-account.ts";
import { requestDeletion } from "./request-deletion.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const requestId = "req_test";
const as = (accountId: string) => ({ actor: { kind: "merchant", id: accountId }, requestId }) as const;
const accountOf = (id: string) => deps.db.prisma.account.findUniqueOrThrow({ where: { id } });
const makePerson = async (displayName: string) => {
  const { id } = await makePayer(deps);
  return deps.db.prisma.account.update({ where: { id }, data: { displayName } });
};
const allMails = () => deps.db.prisma.mail.findMany({ orderBy: { createdAt: "asc" } });
const newestTo = async (recipient: string) => (await allMails()).findLast((mail) => mail.recipient === recipient);

const beginChange = async (accountId: string, email: string): Promise<void> => {
  const sessionId = await openSessionOf(deps, { id: accountId });
  await beginEmailChange(deps, { account: await accountOf(accountId), sessionId, email, requestId });
};
const changeAddress = async (accountId: string, email: string): Promise<void> => {
  await beginChange(accountId, email);
  const code = /^(\d{6})$/m.exec((await newestTo(email))?.text ?? "")?.[1] ?? "";
  await confirmEmailCode(deps, { accountId, code, requestId });
  deps.clock.advance(1);
};
const erase = async (accountId: string): Promise<void> => {
  await requestDeletion(deps, { account: await accountOf(accountId), requestId });
  deps.clock.advance(14 * 86_400);
  const deleted = await Promise.all([deleteDueAccount(deps), deleteDueAccount(deps)]);
  expect(deleted.filter(Boolean)).toHaveLength(1);
};

describe("the erasure of an account (docs/spec/portal.md, Privacy)", () => {
  test("removes e-mails to former and never verified addresses, but keeps the e-mails of an account that later got one of these addresses", async () => {
    const person = await makePerson("Ada Former");
    const [first, second] = [person.email, `${newId("acc").toLowerCase()}@second.example`];
    const [third, never] = [second.replace("second", "third"), second.replace("second", "never")];
    await changeAddress(person.id, second);
    await changeAddress(person.id, third);
    await beginChange(person.id, never);
    const next = await makePerson("Grace Next");
    await changeAddress(next.id, first);
    await changeAddress(next.id, `${newId("acc").toLowerCase()}@next.example`);
    const kindsTo = async (recipient: string) =>
      (await allMails()).filter((mail) => mail.recipient === recipient).map(({ kind }) => kind);
    expect(await kindsTo(first)).toEqual(["email_changed", "email_change_code", "email_changed"]);
    expect([await kindsTo(second), await kindsTo(third), await kindsTo(never)]).toEqual([
      ["email_change_code", "email_changed"],
      ["email_change_code"],
      ["email_change_code"],
    ]);
    await erase(person.id);
    expect([await kindsTo(second), await kindsTo(third), await kindsTo(never)]).toEqual([[], ["account_deleted"], []]);
    expect(await kindsTo(first)).toEqual(["email_change_code", "email_changed"]);
  });

  test("keeps the e-mails of another account that had the person's address before", async () => {
    const before = await makePerson("Earlier Owner");
    const address = before.email;
    await changeAddress(before.id, `${newId("acc").toLowerCase()}@elsewhere.example`);
    const person = await makePerson("Later Owner");
    await changeAddress(person.id, address);
    await erase(person.id);
    expect((await allMails()).filter(({ recipient }) => recipient === address).map(({ kind }) => kind)).toEqual([
      "email_changed",
      "account_deleted",
    ]);
  });

  test("removes e-mails to other people that name the person as a new member, as an inviter or as an owner", async () => {
    const [owner, person, third] = [
      await makePerson("Olga Owner"),
      await makePerson("Pia Person"),
      await makePerson("Tom"),
    ];
    const { id: merchantId } = await makeMerchant(deps);
    const member = { merchantId, accountId: owner.id, role: "owner" as const, createdAt: deps.clock.now() };
    await deps.db.prisma.merchantMember.create({ data: member });
    await inviteMember(deps, { merchantId, email: person.email, role: "admin", ...as(owner.id) });
    const token = /\/invitations\/([\w-]{43})/.exec((await newestTo(person.email))?.text ?? "")?.[1] ?? "";
    await joinTeam(deps, { token, accountId: person.id, requestId });
    await inviteMember(deps, { merchantId, email: third.email, role: "viewer", ...as(person.id) });
    await transferOwnership(deps, { merchantId, accountId: person.id, ...as(owner.id) });
    await transferOwnership(deps, { merchantId, accountId: owner.id, ...as(person.id) });
    await changeMember(deps, { merchantId, accountId: person.id, role: "viewer", ...as(owner.id) });
    const naming = async (text: string) =>
      (await allMails())
        .filter((mail) => `${mail.subject} ${mail.text} ${mail.html}`.includes(text))
        .map(({ kind, recipient }) => [kind, recipient]);
    expect(await naming("Pia Person")).toEqual(
      expect.arrayContaining([
        ["team_joined", owner.email],
        ["invitation", third.email],
        ["ownership_transferred", owner.email],
        ["ownership_transferred", person.email],
      ]),
    );
    await erase(person.id);
    expect([await naming("Pia Person"), await naming(person.email)]).toEqual([[], []]);
    expect(await naming("Olga Owner")).toEqual([]);
    expect((await accountOf(owner.id)).email).toBe(owner.email);
  });

  test("removes e-mails that no worker has queued yet", async () => {
    const person = await makePerson("Bea Batch");
    const others = Array.from({ length: 25 }, (_, index) => `manager-${index}@example.test`);
    const at = deps.clock.now();
    const about = { merchantName: "Shop", memberName: "Bea Batch", memberEmail: person.email, role: "admin" };
    const joined = { kind: "team_joined", ...about, at, timeZone: "UTC", teamUrl: "https://wallet.test/" } as const;
    const off = {
      kind: "webhook_endpoint_off",
      endpointId: "whe_1",
      url: "https://shop.example/",
      reason: "gone",
      docsUrl: "https://pay.test/docs/webhooks",
    } as const;
    await deps.db.sqlTransaction(async (sql) => {
      await queueMailToAll(deps, sql, { recipients: others, content: joined, aboutAccountId: person.id, requestId });
      await queueMailToAll(deps, sql, { recipients: [...others, person.email], content: off, requestId });
    });
    await erase(person.id);
    while (await queueMailBatch(deps));
    const mails = (await allMails()).filter(({ kind }) => kind === "team_joined" || kind === "webhook_endpoint_off");
    expect(mails.filter(({ kind }) => kind === "webhook_endpoint_off").map(({ recipient }) => recipient)).toEqual(
      expect.arrayContaining(others),
    );
    expect(mails.filter(({ recipient, text }) => `${recipient} ${text}`.includes(person.email))).toEqual([]);
    expect(mails.filter(({ text }) => text.includes("Bea Batch"))).toEqual([]);
  });
});
