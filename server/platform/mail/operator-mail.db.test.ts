import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { getMail, getMailTexts } from "./get-mail.ts";
import { queueMail } from "./queue-mail.ts";
import { retryMail } from "./retry-mail.ts";
import { sendDueMail } from "./send-due-mail.ts";
import type { MailSender } from "./smtp.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const by = { actor: { kind: "operator", id: "acc_operator" } as const, requestId: "req_test", reason: "It exists now" };
const refuses: MailSender = async () => ({ kind: "failed", isFinal: true, problem: "550 no such user" });
const takes: MailSender = async () => ({ kind: "sent" });
const queue = (recipient = "a@example.test", obsoleteAfter?: Date) =>
  queueMail(deps, deps.db.sql, {
    recipient,
    requestId: "req_test",
    ...(obsoleteAfter && { obsoleteAfter }),
    content: {
      kind: "webhook_endpoint_off",
      endpointId: "whe_1",
      url: "https://shop.example/hooks",
      reason: "failing",
      docsUrl: "https://pay.test/docs/webhooks",
    },
  });
const mailOf = (id: string) => deps.db.prisma.mail.findFirstOrThrow({ where: { id } });
const retry = (mailId: string) => retryMail(deps, { mailId, ...by }).catch((error: { code: string }) => error.code);

test("restarts the attempts for failed mail and audits it once; a second call changes nothing", async () => {
  const id = await queue();
  expect(await retry(id)).toEqual({ isNew: false });
  await sendDueMail(deps, refuses, { limit: 10 });
  expect(await mailOf(id)).toMatchObject({ state: "failed", attempts: 1 });
  const answers = await Promise.all([retry(id), retry(id)]);
  expect(new Set(answers)).toEqual(new Set([{ isNew: true }, { isNew: false }]));
  expect(await mailOf(id)).toMatchObject({ state: "pending", attempts: 0, problem: "550 no such user" });
  expect(await sendDueMail(deps, takes, { limit: 10 })).toBe(1);
  expect(await mailOf(id)).toMatchObject({ state: "sent", attempts: 1, problem: null });
  const { entries } = await searchAudit(deps, { action: "mail.retried" });
  expect(entries).toMatchObject([{ actorId: "acc_operator", subjectId: id, data: { reason: by.reason } }]);
});

test("refuses mail that is no longer relevant, has an invalid address or doesn't exist", async () => {
  const late = await queue("a@example.test", addSeconds(deps.clock.now(), 60));
  await sendDueMail(deps, refuses, { limit: 10 });
  deps.clock.advance(60);
  const nowhere = await queue("not an address");
  expect([await retry(late), await retry(nowhere), await retry("mail_gone")]).toEqual([
    "mail_not_retryable",
    "mail_not_retryable",
    "mail_not_found",
  ]);
});

test("each reading of an e-mail's text is audited with who read it, but not the text", async () => {
  const id = await queue();
  const { actor, requestId } = by;
  const mail = await getMail(deps, { mailId: id });
  expect(mail).toMatchObject({ kind: "webhook_endpoint_off" });
  expect(Object.keys(mail).filter((key) => key === "text" || key === "html")).toEqual([]);
  expect(await getMailTexts(deps, { mailId: id, actor, requestId })).toMatchObject({ text: expect.any(String) });
  const gone = { code: "mail_not_found" };
  await expect(getMail(deps, { mailId: "mail_gone" })).rejects.toMatchObject(gone);
  await expect(getMailTexts(deps, { mailId: "mail_gone", actor, requestId })).rejects.toMatchObject(gone);
  const { entries } = await searchAudit(deps, { action: "mail.read" });
  expect(entries).toMatchObject([
    { actorId: "acc_operator", requestId, subjectId: id, data: { kind: "webhook_endpoint_off" } },
  ]);
});
