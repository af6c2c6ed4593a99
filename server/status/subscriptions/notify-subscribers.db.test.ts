import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type MailServer, startMailServer } from "#e2e/support/peers/mail-server.ts";
import { accepts, answers, startWebhookReceiver, type WebhookReceiver } from "#e2e/support/peers/webhook-receiver.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { connectDatabase } from "../../data/client.ts";
import { createSmtpSender, type MailSender } from "../../platform/mail/smtp.ts";
import { loadBoard } from "../board/load-board.ts";
import { replayJournal } from "../board/replay-journal.ts";
import { incidentOf } from "../rules/board.fixture.ts";
import { type Board, emptyBoard } from "../rules/board.ts";
import { type JournalRecord, withRecords } from "../rules/journal/journal-record.ts";
import { confirmSubscription } from "./manage-subscription.ts";
import { createNotifier, startNotifier } from "./notify-subscribers.ts";
import { subscribeByMail } from "./subscribe-by-mail.ts";
import { subscribeWebhook } from "./subscribe-webhook.ts";

let deps: TestDeps;
let mail: MailServer;
let receiver: WebhookReceiver;
let send: MailSender;
let board: Board;
let journaled: JournalRecord[];
beforeAll(async () => {
  deps = await createTestDeps({ config: { outboundLoopback: true } });
  receiver = await startWebhookReceiver();
});
beforeEach(async () => {
  deps.clock.set(new Date());
  await deps.db.prisma.statusSubscriber.deleteMany();
  await deps.db.prisma.mail.deleteMany();
  mail = await startMailServer();
  send = createSmtpSender({ smtpUrl: mail.url, mailFrom: "no-reply@pay.example" });
  receiver.received.length = 0;
  receiver.behave(accepts);
  board = emptyBoard(deps.clock.now());
  journaled = [];
  return () => mail.close();
});
afterAll(async () => {
  receiver.close();
  await deps.close();
});

const info = { requestId: "req_test", ipAddress: "203.0.113.7", userAgent: "" };

/** The board of the status process: journaled records are on it immediately. */
const journal = {
  async append(records: readonly JournalRecord[]) {
    journaled.push(...records);
    board = withRecords(board, records);
  },
  pending: () => [],
};
const notifierOf = (kind: "email" | "webhook", by: MailSender | null = send, on: Partial<Pick<TestDeps, "db">> = {}) =>
  createNotifier(
    {
      ...deps,
      ...on,
      board: () => board,
      journal: { append: (records) => journal.append(records), pending: () => [] },
    },
    { kind, send: by },
  );
const notify = async (by: MailSender | null = send, on: Partial<Pick<TestDeps, "db">> = {}) =>
  (await notifierOf("email", by, on).round()) + (await notifierOf("webhook", by, on).round());

const publish = () => {
  const at = deps.clock.now();
  const [first] = incidentOf().updates;
  const updates = first ? [{ ...first, at }] : [];
  board = { ...board, incidents: [incidentOf({ publicAt: at, startedAt: at, createdAt: at, updates })] };
};

const subscribeMail = async (address = "ada@example.com") => {
  await subscribeByMail(deps, { address, components: [], info });
  const queued = await deps.db.prisma.mail.findFirstOrThrow({ where: { recipient: address } });
  const token = /confirm\?token=([\w-]+)/.exec(queued.text)?.[1] ?? "";
  const id = await confirmSubscription(deps, { token, info });
  board = { ...board, subscribers: (await loadBoard(deps)).subscribers };
  return id;
};
const subscribeHook = async (url = receiver.url) => {
  const webhook = await subscribeWebhook(deps, { url, components: [], info });
  board = { ...board, subscribers: (await loadBoard(deps)).subscribers };
  receiver.received.length = 0;
  return webhook;
};

describe("by mail (docs/spec/status.md, Notifications)", () => {
  test("mails each subscriber once, with one-click unsubscription (RFC 8058 §3.1)", async () => {
    const id = await subscribeMail();
    publish();
    expect([await notify(), await notify()]).toEqual([1, 0]);
    expect(mail.received).toMatchObject([{ to: ["ada@example.com"], messageId: `<upd_1.${id}@pay.example>` }]);
    const message = (mail.received[0]?.message ?? "").replaceAll(/\n[ \t]+/g, " ").replaceAll("=\n", "");
    expect(message).toContain("Subject: [Sandbox] Investigating: Invoices are slow to appear");
    expect(message).toMatch(/^List-Unsubscribe: <http:.*\/status\/subscriptions\/unsubscribe\?token=sub_\S+>$/m);
    expect(message).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click\n");
    expect(message).toContain("/status/incidents/inc_1#upd_1");
  });

  test("sends mail without the queue while the database is unavailable, and records it later", async () => {
    const id = await subscribeMail();
    publish();
    const away = connectDatabase("postgres://unknown@127.0.0.1:1/none", 1);
    await notify(send, { db: away });
    await away.close();
    expect(mail.received).toHaveLength(1);
    await replayJournal(deps, { records: journaled });
    await replayJournal(deps, { records: journaled });
    expect(await deps.db.prisma.statusNotice.findMany()).toMatchObject([
      { subscriberId: id, updateId: "upd_1", attempts: 1, sentAt: deps.clock.now(), abandonedAt: null },
    ]);
  });

  test("retries a temporary failure under the same id, and gives up after a permanent one", async () => {
    await subscribeMail();
    publish();
    mail.behave((command) => (command === "RCPT" ? "451 later" : null));
    await notify();
    expect([journaled, await notify()]).toMatchObject([[{ outcome: "failed", attempts: 1 }], 0]);
    deps.clock.advance(30);
    mail.behave((command) => (command === "RCPT" ? "550 <Ada@Example.com> is nobody here" : null));
    await notify();
    const problem = "EENVELOPE: 550 <…> is nobody here";
    expect(journaled.at(-1)).toMatchObject({ outcome: "given_up", attempts: 2, problem });
    deps.clock.advance(3600);
    expect(await notify()).toBe(0);
  });

  test("queues mail without a mail server", async () => {
    await subscribeMail();
    publish();
    await notify(null);
    const kinds = await deps.db.prisma.mail.findMany({ select: { kind: true, unsubscribeUrl: true } });
    expect(kinds).toContainEqual({
      kind: "status_update",
      unsubscribeUrl: expect.stringContaining("unsubscribe?token="),
    });
    expect(journaled).toMatchObject([{ outcome: "sent" }]);
  });
});

describe("rounds", () => {
  const seven = async () => {
    for (let count = 1; count <= 7; count += 1) await subscribeMail(`reader${count}@example.com`);
    publish();
  };

  test("sends nothing while the journal can't be written, and repeats nothing afterwards", async () => {
    await seven();
    const { append } = journal;
    journal.append = () => Promise.reject(new Error("ENOSPC"));
    const rounds = notifierOf("email");
    await expect(rounds.round()).rejects.toThrow("ENOSPC");
    await expect(rounds.round()).rejects.toThrow("ENOSPC");
    expect(mail.received).toHaveLength(5);
    journal.append = append;
    expect(await rounds.round()).toBe(2);
    expect(new Set(mail.received.map(({ to }) => to[0])).size).toBe(7);
    expect([mail.received.length, journaled.length]).toEqual([7, 7]);
  });

  test("after a round has failed, none of its deliveries is still running, and it starts no more", async () => {
    const hosts = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
    const receivers = await Promise.all(hosts.map((host) => startWebhookReceiver(host)));
    try {
      for (const { url } of receivers) for (let n = 0; n < 7; n += 1) await subscribeHook(`${url}?${n}`);
      for (const one of receivers) one.received.length = 0;
      publish();
      let isFull = true;
      const append = async (records: readonly JournalRecord[]) => {
        if (isFull) throw new Error("no space left");
        await journal.append(records);
      };
      const round = createNotifier(
        { ...deps, board: () => board, journal: { append, pending: () => [] } },
        { kind: "webhook", send },
      );
      await expect(round.round()).rejects.toThrow("no space left");
      const receivedCount = () => receivers.reduce((sum, { received }) => sum + received.length, 0);
      // The first batch of each site, and no second one.
      expect(receivedCount()).toBe(15);
      isFull = false;
      await round.round();
      expect(receivedCount()).toBe(21);
    } finally {
      for (const one of receivers) one.close();
    }
  });

  test("a subscriber whose address can't be decrypted doesn't delay others", async () => {
    const { id } = await subscribeHook(`${receiver.url}?closed`);
    await subscribeHook();
    board = {
      ...board,
      subscribers: board.subscribers.map((one) =>
        one.id === id ? { ...one, addressSealed: Buffer.from("v1.x") } : one,
      ),
    };
    publish();
    await notify();
    expect(receiver.received).toHaveLength(1);
  });

  test("a subscriber who unsubscribes during a round gets no further update", async () => {
    await seven();
    const last = board.subscribers.at(-1);
    await notifierOf("email", (message) => {
      board = { ...board, subscribers: board.subscribers.filter((one) => one !== last) };
      return send(message);
    }).round();
    expect([mail.received.length, journaled.length]).toEqual([6, 6]);
  });

  test("a stopped round finishes its current deliveries", async () => {
    await seven();
    const rounds = notifierOf("email", (message) => {
      rounds.stop();
      return send(message);
    });
    await rounds.round();
    expect([mail.received.length, journaled.length]).toEqual([5, 5]);
  });

  test("a hanging receiver doesn't delay mail", async () => {
    await subscribeHook();
    await subscribeMail();
    publish();
    receiver.behave(() => {});
    const stop = startNotifier({ ...deps, board: () => board, journal }, { send, everyMilliseconds: 20 });
    await expect.poll(() => receiver.received).toHaveLength(1);
    await expect.poll(() => journaled).toContainEqual(expect.objectContaining({ outcome: "sent" }));
    await stop();
    expect(journaled).toMatchObject([{ outcome: "sent" }, { outcome: "failed" }]);
  });
});

describe("by webhook", () => {
  test("many hanging addresses of one site don't delay other sites", async () => {
    for (let count = 1; count <= 11; count += 1) await subscribeHook(`${receiver.url}?n=${count}`);
    const other = await startWebhookReceiver("127.0.0.2");
    await subscribeHook(other.url);
    publish();
    receiver.behave(() => {});
    const rounds = notifierOf("webhook");
    const round = rounds.round();
    await expect.poll(() => journaled).toContainEqual(expect.objectContaining({ outcome: "sent" }));
    rounds.stop();
    await round;
    expect(receiver.received).toHaveLength(5);
    other.close();
  });

  test("signs a webhook with the subscriber's secret (Standard Webhooks)", async () => {
    const { secret } = await subscribeHook();
    publish();
    await notify();
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: "status_update.published",
      data: { update_id: "upd_1", state: "investigating", about: { id: "inc_1", components: ["billing_engine"] } },
    });
  });

  test("retries after a pause, with the same id", async () => {
    await subscribeHook();
    publish();
    receiver.behave(answers(503));
    await notify();
    expect(journaled).toMatchObject([{ outcome: "failed", problem: "answered 503" }]);
    deps.clock.advance(30);
    receiver.behave(accepts);
    await notify();
    expect(journaled.map((record) => "outcome" in record && record.outcome)).toEqual(["failed", "sent"]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test("a failing receiver doesn't delay others", async () => {
    await subscribeHook();
    await subscribeMail();
    publish();
    receiver.behave(answers(500));
    await notify();
    expect(mail.received).toHaveLength(1);
  });
});
