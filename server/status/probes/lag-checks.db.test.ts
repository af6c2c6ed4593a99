import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { connectDatabase } from "../../data/client.ts";
import { addJobPulse } from "../../data/jobs/job-pulses.ts";
import { insertMails } from "../../data/mail/mail.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { checkLags } from "./lag-checks.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const look = async (watchedSeconds = 86_400) => {
  const found = await checkLags("production", deps.db, { now: deps.clock.now(), watchedSeconds });
  return found.map(({ check, outcome }) => `${check} ${outcome}`);
};
const pulse = (name: string, secondsAgo: number) => {
  const at = addSeconds(deps.clock.now(), -secondsAgo);
  return addJobPulse(deps.db.sql, {
    name,
    ranAt: at,
    okAt: at,
    runs: 1,
    failures: 0,
    done: 0,
    lastError: null,
    failedAt: null,
  });
};

test("fails if due events or mail wait too long, or their job doesn't run (docs/spec/status.md, Probes)", async () => {
  expect(await look()).toEqual(["production.queue ok", "production.mail ok"]);
  await pulse("dispatch-events", 600);
  expect(await look()).toEqual(["production.queue failed", "production.mail ok"]);
  expect(await look(30)).toEqual(["production.queue ok", "production.mail ok"]);
  await pulse("dispatch-events", 2);
  await pulse("send-webhooks", 600);
  expect(await look()).toEqual(["production.queue failed", "production.mail ok"]);
  await pulse("send-webhooks", 2);
  const createdAt = addSeconds(deps.clock.now(), -400);
  const to = { id: newId("mail"), recipient: "a@example.com", problem: null };
  await insertMails(deps.db.sql, [to], {
    kind: "webhook_endpoint_off",
    subject: "s",
    text: "t",
    html: "h",
    createdAt,
    obsoleteAfter: null,
    unsubscribeUrl: null,
    formerRecipientId: null,
    aboutAccountId: null,
  });
  expect(await look()).toEqual(["production.queue ok", "production.mail failed"]);
});

test("fails if the mail server rejects everything, but not if it rejects one recipient or has accepted a mail since (docs/spec/status.md, Probes)", async () => {
  await deps.db.prisma.mail.deleteMany();
  const put = async (secondsAgo: number, more: object) => {
    const id = newId("mail");
    const createdAt = addSeconds(deps.clock.now(), -secondsAgo);
    const words = { kind: "webhook_endpoint_off", subject: "s", text: "t", html: "h" };
    await insertMails(deps.db.sql, [{ id, recipient: "a@example.com", problem: null }], {
      ...words,
      createdAt,
      obsoleteAfter: null,
      unsubscribeUrl: null,
      formerRecipientId: null,
      aboutAccountId: null,
    });
    await deps.db.prisma.mail.updateMany({ where: { id }, data: more });
  };
  const later = addSeconds(deps.clock.now(), 3_600);
  await put(400, { problem: "EENVELOPE: 450 greylisted", nextAttemptAt: later });
  expect(await look()).toContain("production.mail ok");
  await put(400, { problem: "EAUTH: 535 wrong password", nextAttemptAt: later });
  expect(await look()).toContain("production.mail failed");
  await put(5, { state: "sent", nextAttemptAt: null, endedAt: deps.clock.now() });
  expect(await look()).toContain("production.mail ok");
});

test("doesn't run without the database", async () => {
  const away = connectDatabase("postgresql://unknown@127.0.0.1:9/none", 1);
  const found = await checkLags("sandbox", away, { now: deps.clock.now(), watchedSeconds: 10 });
  expect(found.map(({ outcome }) => outcome)).toEqual(["not_run", "not_run"]);
  await away.close();
});
