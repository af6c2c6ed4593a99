import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailServer, startMailServer } from "#e2e/support/peers/mail-server.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { sendDueMail } from "../../platform/mail/send-due-mail.ts";
import { createSmtpSender } from "../../platform/mail/smtp.ts";
import { emptyBoard } from "../rules/board.ts";
import { createPager } from "./page-operators.ts";

let deps: TestDeps;
let mail: MailServer;
beforeAll(async () => {
  deps = await createTestDeps();
  mail = await startMailServer();
});
afterAll(async () => {
  mail?.close();
  await deps?.close();
});

test("while the database is available, the status process sends an alert's queued mail, once, if no worker has sent it for a minute (docs/spec/status.md, Alerts)", async () => {
  const send = createSmtpSender({ smtpUrl: mail.url, mailFrom: "no-reply@pay.example" });
  const journal = { append: () => Promise.reject(new Error("the journal is for outages")), pending: () => [] };
  const page = createPager({ ...deps, board: () => emptyBoard(deps.clock.now()), journal }, send);
  const at = deps.clock.now();
  const alert = { componentName: "Wallet portal", rule: "page_fast", burnRate: 20, at, statusUrl: "http://x" } as const;
  const [recipient, requestId] = ["ola@example.test", "req_test"];
  await queueMail(deps, deps.db.sql, { recipient, requestId, content: { kind: "status_alert", ...alert } });
  const off = {
    kind: "webhook_endpoint_off",
    endpointId: "whe_1",
    url: "http://x/",
    reason: "failing",
    docsUrl: "https://pay.test/docs/webhooks",
  } as const;
  await queueMail(deps, deps.db.sql, { recipient, requestId, content: off });
  deps.clock.advance(59);
  expect(await page()).toBe(0);
  deps.clock.advance(1);
  // Concurrently with a worker that just restarted.
  const counts = await Promise.all([page(), page(), sendDueMail(deps, send, { limit: 10 }), page()]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(2);
  expect(
    mail.received.map(({ message }) => /^Subject: .*(Urgent|switched off)/m.exec(message)?.[1]).toSorted(),
  ).toEqual(["Urgent", "switched off"]);
});
