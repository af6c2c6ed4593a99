import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type MailServer, startMailServer } from "#e2e/support/peers/mail-server.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { claimMail } from "../../data/mail/mail.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "./queue-mail.ts";
import { sendDueMail } from "./send-due-mail.ts";
import { createSmtpSender, type MailSender } from "./smtp.ts";

let deps: TestDeps;
let server: MailServer;
let send: MailSender;
beforeAll(async () => {
  deps = await createTestDeps();
});
beforeEach(async () => {
  await deps.db.prisma.mail.deleteMany();
  server = await startMailServer();
  send = senderTo(server.url);
});
afterEach(() => server.close());
afterAll(() => deps.close());

const senderTo = (smtpUrl: string) => createSmtpSender({ smtpUrl, mailFrom: "no-reply@pay.example" });
const queue = (recipient = "a@example.test", obsoleteAfter?: Date) =>
  queueMail(deps, deps.db.sql, {
    recipient,
    requestId: "req_test",
    ...(obsoleteAfter && { obsoleteAfter }),
    content: {
      kind: "webhook_endpoint_off",
      endpointId: "whe_1",
      url: "https://shop.example/hooks?ü=1",
      reason: "failing",
      docsUrl: "https://pay.test/docs/webhooks",
    },
  });
const sendDue = (on: TestDeps = deps, by: MailSender | null = send) => sendDueMail(on, by, { limit: 100 });
const mailOf = (id: string) => deps.db.prisma.mail.findFirstOrThrow({ where: { id } });
const givenUp = (ids: readonly string[]) => deps.db.prisma.$queryRaw<{ subject_id: string; data: object }[]>`
  SELECT subject_id, data FROM audit_entry WHERE action = 'mail.given_up' AND subject_id = ANY (${ids})`;

describe("without a mail server (docs/spec/operations.md, E-mail)", () => {
  test("mail is kept in the outbox once, and nothing is sent", async () => {
    const id = await queue();
    const other = await anotherNode(deps);
    expect((await Promise.all([sendDue(deps, null), sendDue(other, null)])).toSorted()).toEqual([0, 1]);
    await other.close();
    expect(await mailOf(id)).toMatchObject({ state: "kept", endedAt: deps.clock.now(), nextAttemptAt: null });
    expect(await sendDue()).toBe(0);
    expect(server.received).toEqual([]);
  });
});

describe("by SMTP (RFC 5321)", () => {
  test("sends an e-mail to its recipient only, as text and HTML, with its own Message-ID", async () => {
    const id = await queue();
    expect(await sendDue()).toBe(1);
    expect(await mailOf(id)).toMatchObject({ state: "sent", attempts: 1, endedAt: deps.clock.now(), problem: null });
    expect(server.received).toMatchObject([
      { from: "no-reply@pay.example", to: ["a@example.test"], messageId: `<${id}@pay.example>`, user: null },
    ]);
    const message = server.received[0]?.message ?? "";
    expect(message).toContain("From: Paygrant <no-reply@pay.example>\n");
    expect(message).toContain("To: a@example.test\n");
    expect(message).toContain("Subject: [Sandbox] Your webhook endpoint is switched off\n");
    expect(message).toContain("Auto-Submitted: auto-generated\n");
    expect(message).toMatch(/Content-Type: multipart\/alternative/);
    expect(message).toMatch(/Content-Type: text\/plain; charset=utf-8.*Content-Type: text\/html; charset=utf-8/s);
    expect(await sendDue()).toBe(0);
  });

  test("authenticates with the decoded user and password of SMTP_URL", async () => {
    await queue();
    const url = server.url.replace("smtp://", "smtp://us%40er:p%2Fass@");
    await sendDue(deps, senderTo(url));
    expect(server.received).toMatchObject([{ user: "us@er" }]);
  });

  test("sends nothing before TLS with smtps", async () => {
    const id = await queue();
    await sendDue(deps, senderTo(server.url.replace("smtp://", "smtps://user:secret-word@")));
    // The connection begins with a TLS handshake (RFC 8446 §5.1), not with a command.
    expect(server.openings.map((octets) => octets.charCodeAt(0))).toEqual([0x16]);
    const { state, problem } = await mailOf(id);
    expect([state, problem]).toEqual(["pending", expect.not.stringContaining("secret-word")]);
  });

  test("sends each mail once with two workers at the same time", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, (_, index) => queue(`r${index}@example.test`)));
    const other = await anotherNode(deps);
    const rounds = await Promise.all([deps, other, deps, other].map((node) => sendDueMail(node, send, { limit: 10 })));
    await sendDue(other);
    await other.close();
    expect(rounds.reduce((sum, done) => sum + done, 0)).toBeLessThanOrEqual(30);
    expect(server.received.map(({ messageId }) => messageId).toSorted()).toEqual(
      ids.map((id) => `<${id}@pay.example>`).toSorted(),
    );
    expect(await deps.db.prisma.mail.count({ where: { state: "sent", attempts: 1 } })).toBe(30);
  });
});

describe("a worker that stops between sending and recording", () => {
  test("leaves the mail to another worker, which sends it with the same Message-ID", async () => {
    const id = await queue();
    const now = deps.clock.now();
    const [claimed] = await claimMail(deps.db.sql, {
      due: now,
      kind: null,
      claimUntil: addSeconds(now, 120),
      limit: 1,
    });
    if (!claimed) throw new Error("nothing was due");
    expect(await send(claimed)).toEqual({ kind: "sent" });
    deps.clock.advance(119);
    expect(await sendDue()).toBe(0);
    deps.clock.advance(1);
    expect(await sendDue()).toBe(1);
    expect(server.received.map(({ messageId }) => messageId)).toEqual(Array(2).fill(`<${id}@pay.example>`));
    expect(await mailOf(id)).toMatchObject({ state: "sent", attempts: 2 });
  });

  test("doesn't overwrite the result of the other worker when it continues late", async () => {
    const id = await queue();
    const [taken, late] = [Promise.withResolvers<void>(), Promise.withResolvers<Awaited<ReturnType<MailSender>>>()];
    const stalled: MailSender = () => {
      taken.resolve();
      return late.promise;
    };
    const first = sendDue(deps, stalled);
    await taken.promise;
    deps.clock.advance(120);
    await sendDue();
    late.resolve({ kind: "failed", problem: "late", isFinal: true });
    await first;
    expect(await mailOf(id)).toMatchObject({ state: "sent", attempts: 2, problem: null });
    expect(await givenUp([id])).toEqual([]);
  });
});

describe("a mail server that fails", () => {
  test("is tried nine times within two days at growing intervals, then an audit entry records the failure", async () => {
    server.behave((command) => (command === "RCPT" ? "451 greylisted" : null));
    const id = await queue();
    const startedAt = deps.clock.now();
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 9; attempt++) {
      expect(await sendDue()).toBe(1);
      const { nextAttemptAt } = await mailOf(id);
      if (!nextAttemptAt) break;
      pauses.push((nextAttemptAt.getTime() - deps.clock.now().getTime()) / 1000);
      deps.clock.set(addSeconds(nextAttemptAt, -1));
      expect(await sendDue()).toBe(0);
      deps.clock.set(nextAttemptAt);
    }
    expect(pauses).toEqual([10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400]);
    expect((deps.clock.now().getTime() - startedAt.getTime()) / 86_400_000).toBeLessThan(2);
    expect(await mailOf(id)).toMatchObject({ state: "failed", attempts: 9, endedAt: deps.clock.now() });
    expect((await mailOf(id)).problem).toContain("451 greylisted");
    expect(await givenUp([id])).toEqual([{ subject_id: id, data: { kind: "webhook_endpoint_off", attempts: 9 } }]);
    expect(await sendDue()).toBe(0);
  });

  test("isn't tried again after a permanent 5yz refusal of the mail (RFC 5321 §4.2.1)", async () => {
    server.behave((command) => (command === "RCPT" ? "550 no such user" : null));
    const id = await queue();
    await sendDue();
    expect(await mailOf(id)).toMatchObject({ state: "failed", attempts: 1 });
    expect(await givenUp([id])).toHaveLength(1);
  });

  test.each<[string, Parameters<MailServer["behave"]>[0]]>([
    ["refuses our password", (command) => (command === "AUTH" ? "535 wrong password" : null)],
    ["is busy", (command) => (command === "CONNECT" ? "421 busy" : null)],
    ["hangs up", (command) => (command === "DATA" ? "close" : null)],
    ["accepts the mail and hangs up before the response", (command) => (command === "BODY" ? "close" : null)],
  ])("%s: the next attempt sends the mail", async (_, behaviour) => {
    const id = await queue();
    const signedIn = senderTo(server.url.replace("smtp://", "smtp://user:secret-word@"));
    server.behave(behaviour);
    await sendDue(deps, signedIn);
    const { state, attempts, problem } = await mailOf(id);
    expect([state, attempts, problem]).toEqual(["pending", 1, expect.not.stringContaining("secret-word")]);
    server.behave(() => null);
    deps.clock.advance(10);
    await sendDue(deps, signedIn);
    expect(await mailOf(id)).toMatchObject({ state: "sent", attempts: 2 });
    expect(new Set(server.received.map(({ messageId }) => messageId))).toEqual(new Set([`<${id}@pay.example>`]));
  });

  test("causes a failed attempt, not an exception, if it can't be reached", async () => {
    server.close();
    const id = await queue();
    await sendDue();
    expect(await mailOf(id)).toMatchObject({
      state: "pending",
      problem: expect.stringMatching(/^ESOCKET: .*ECONNREFUSED/),
    });
  });

  test("isn't tried again once the mail is no longer relevant", async () => {
    server.behave((command) => (command === "RCPT" ? "451 greylisted" : null));
    const [soon, late] = await Promise.all([
      queue("a@example.test", addSeconds(deps.clock.now(), 60)),
      queue("b@example.test", addSeconds(deps.clock.now(), 5)),
    ]);
    await sendDue();
    expect(await mailOf(soon)).toMatchObject({ state: "pending" });
    expect(await mailOf(late)).toMatchObject({ state: "failed", attempts: 1 });
    server.behave(() => null);
    deps.clock.advance(60);
    await sendDue();
    expect(await mailOf(soon)).toMatchObject({ state: "failed", problem: "no longer relevant" });
    expect(server.received).toEqual([]);
    expect(await givenUp([soon, late])).toHaveLength(2);
  });
});
