import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { type NewMail, queueMail } from "./queue-mail.ts";
import { queueMailBatch } from "./queue-mail-batch.ts";
import { queueMailToEach } from "./queue-mail-to-all.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const noticeTo = (recipient: string, more: Partial<NewMail> = {}): NewMail => ({
  recipient,
  requestId: newId("req"),
  content: {
    kind: "webhook_endpoint_off",
    endpointId: "whe_1",
    url: "https://shop.example/hooks",
    reason: "failing",
    docsUrl: "https://pay.test/docs/webhooks",
  },
  ...more,
});
const mailOf = (id: string) => deps.db.prisma.mail.findFirstOrThrow({ where: { id } });

describe("a mail is queued in the transaction of its event (docs/spec/operations.md, E-mail)", () => {
  test("is stored as it will be sent, due immediately", async () => {
    const id = await deps.db.transaction((tx) => queueMail(deps, tx.sql, noticeTo("a@example.test")));
    expect(await mailOf(id)).toMatchObject({
      kind: "webhook_endpoint_off",
      recipient: "a@example.test",
      state: "pending",
      attempts: 0,
      endedAt: null,
      createdAt: deps.clock.now(),
      nextAttemptAt: deps.clock.now(),
      obsoleteAfter: null,
      problem: null,
      subject: "[Sandbox] Your webhook endpoint is switched off",
      text: expect.stringContaining("https://shop.example/hooks"),
      html: expect.stringContaining("https://shop.example/hooks"),
    });
  });

  test("isn't stored if the transaction is rolled back", async () => {
    const before = await deps.db.prisma.mail.count();
    const failing = deps.db.sqlTransaction(async (sql) => {
      await queueMail(deps, sql, noticeTo("b@example.test"));
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(await deps.db.prisma.mail.count()).toBe(before);
  });

  test("is stored as failed if the address is invalid: line breaks are removed, and an audit entry is written", async () => {
    const recipient = "c@example.test\r\nBcc: others@example.test";
    const id = await deps.db.sqlTransaction((sql) => queueMail(deps, sql, noticeTo(recipient)));
    expect(await mailOf(id)).toMatchObject({
      state: "failed",
      recipient: "c@example.test Bcc: others@example.test",
      problem: "not an address",
      nextAttemptAt: null,
      endedAt: deps.clock.now(),
    });
    expect(
      await deps.db.prisma.$queryRaw`SELECT actor_kind, actor_id, data FROM audit_entry
        WHERE action = 'mail.given_up' AND subject_id = ${id}`,
    ).toEqual([
      { actor_kind: "system", actor_id: "mail", data: { kind: "webhook_endpoint_off", problem: "not an address" } },
    ]);
  });

  test("never has a line break in a header, which the database also refuses", async () => {
    const id = await deps.db.sqlTransaction((sql) => queueMail(deps, sql, noticeTo("d@example.test")));
    for (const data of [{ subject: "a\r\nBcc: x@example.test" }, { recipient: "d@example.test\nx" }]) {
      await expect(deps.db.prisma.mail.updateMany({ where: { id }, data })).rejects.toThrow("mail_headers");
    }
  });
});

describe("mail to the members of a large team (docs/spec/operations.md, E-mail)", () => {
  const zones = ["UTC", "Europe/Berlin", "Asia/Tokyo"];
  const queue = async (count: number) => {
    const requestId = newId("req");
    const recipients = Array.from({ length: count }, (_, index) => ({
      email: `member${index}@team${count}.test`,
      timeZone: zones[index % zones.length] ?? "UTC",
    }));
    const content = (timeZone: string) => ({
      kind: "merchant_resumed" as const,
      merchantName: "Shop",
      at: deps.clock.now(),
      timeZone,
      dashboardUrl: "https://pay.test/merchant",
    });
    await deps.db.sqlTransaction((sql) => queueMailToEach(deps, sql, { recipients, content, requestId }));
    const queued = { recipient: { endsWith: `@team${count}.test` } };
    const countQueued = async () => ({
      mails: await deps.db.prisma.mail.count({ where: queued }),
      batches: await deps.db.prisma.mailBatch.count({ where: { requestId } }),
    });
    return { queued, countQueued };
  };

  test("is queued in the transaction for up to 20 recipients", async () => {
    expect(await (await queue(20)).countQueued()).toEqual({ mails: 20, batches: 0 });
  });

  test("is created by workers for more than 20 recipients in all, even if no time zone has more than 20", async () => {
    const { queued, countQueued } = await queue(21);
    expect(await countQueued()).toEqual({ mails: 0, batches: 3 });
    while (await queueMailBatch(deps));
    expect(await countQueued()).toEqual({ mails: 21, batches: 0 });
    const mails = await deps.db.prisma.mail.findMany({ where: queued });
    expect(new Set(mails.map(({ recipient }) => recipient)).size).toBe(21);
    expect(new Set(mails.map(({ text }) => text)).size).toBe(zones.length);
  });
});
