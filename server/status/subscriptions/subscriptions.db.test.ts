import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accepts, answers, startWebhookReceiver, type WebhookReceiver } from "#e2e/support/peers/webhook-receiver.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { connectDatabase, statement } from "../../data/client.ts";
import { boardOf } from "../rules/board.fixture.ts";
import type { ComponentKey } from "../rules/components.ts";
import { type JournalRecord, withRecords } from "../rules/journal/journal-record.ts";
import { changeSubscription, confirmSubscription, endSubscription, getSubscription } from "./manage-subscription.ts";
import { subscribeByMail } from "./subscribe-by-mail.ts";
import { subscribeWebhook } from "./subscribe-webhook.ts";
import { readSubscriptionToken, subscriptionToken } from "./subscription-token.ts";

let deps: TestDeps;
let receiver: WebhookReceiver;
beforeAll(async () => {
  deps = await createTestDeps({ config: { outboundLoopback: true } });
  receiver = await startWebhookReceiver();
});
beforeEach(async () => {
  deps.clock.set(new Date());
  await deps.db.prisma.statusSubscriber.deleteMany();
  await deps.db.prisma.mail.deleteMany();
  receiver.received.length = 0;
  receiver.behave(accepts);
});
afterAll(async () => {
  receiver.close();
  await deps.close();
});

const journalTo = (written: JournalRecord[]) => ({
  append: async (records: readonly JournalRecord[]) => void written.push(...records),
  pending: () => written,
});
/** While the database is available, changes of subscriptions don't use the journal. */
const append = () => Promise.reject(new Error("the journal is for outages"));
const ending = () => ({ ...deps, board: () => boardOf(), journal: { append, pending: () => [] } });
const info = { requestId: "req_test", ipAddress: "203.0.113.7", userAgent: "" };
const ask = (address = "ada@example.com", components: ComponentKey[] = []) =>
  subscribeByMail(deps, { address, components, info });
const mails = () => deps.db.prisma.mail.findMany({ orderBy: { createdAt: "asc" } });
const subscribers = () => deps.db.prisma.statusSubscriber.findMany();
const lastToken = async () => /confirm\?token=([\w-]{43})\n/.exec((await mails()).at(-1)?.text ?? "")?.[1] ?? "";
const confirm = (token: string) => confirmSubscription(deps, { token, info });
const holdSubscriber = statement("hold_subscriber", "SELECT FROM status_subscriber WHERE id = $1 FOR UPDATE");
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code?: string }) => error.code,
  );

describe("by e-mail: double opt-in (docs/spec/status.md, Notifications)", () => {
  test("subscribes only with the mailed token, once", async () => {
    await ask("Ada@Example.com", ["sandbox"]);
    expect(await subscribers()).toMatchObject([{ confirmedAt: null, components: [] }]);
    const token = await lastToken();
    const id = await confirm(token);
    expect(await subscribers()).toMatchObject([{ id, confirmedAt: deps.clock.now(), components: ["sandbox"] }]);
    expect(await codeOf(confirm(token))).toBe("confirmation_expired");
  });

  test("confirms once with two concurrent requests", async () => {
    await ask();
    const token = await lastToken();
    const codes = await Promise.all([codeOf(confirm(token)), codeOf(confirm(token)), codeOf(confirm(token))]);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
  });

  test("the token expires after 24 hours", async () => {
    await ask();
    const token = await lastToken();
    deps.clock.advance(24 * 3600);
    expect(await codeOf(confirm(token))).toBe("confirmation_expired");
  });

  test("stores neither address nor token in clear text", async () => {
    await ask("ada@example.com");
    const row = (await subscribers())[0];
    const text = JSON.stringify(row) + Buffer.from(row?.addressSealed ?? []).toString();
    expect(text).not.toContain("ada@");
    expect(text).not.toContain(await lastToken());
    expect(row?.addressHash).toMatch(/^[\w-]{43}$/);
  });

  test("a known address gets the same mail, and the subscription is unchanged until the owner confirms", async () => {
    await ask("ada@example.com", ["sandbox"]);
    await confirm(await lastToken());
    deps.clock.advance(3601);
    await ask("ada@example.com", ["billing_engine"]);
    const [first, second] = await mails();
    expect(second?.subject).toBe(first?.subject);
    expect(await subscribers()).toMatchObject([{ components: ["sandbox"] }]);
    await confirm(await lastToken());
    expect(await subscribers()).toMatchObject([{ components: ["billing_engine"] }]);
  });

  test("repeated requests for one address don't flood the mailbox", async () => {
    await Promise.all([ask(), ask(), ask()]);
    expect(await mails()).toHaveLength(1);
    deps.clock.advance(3_599);
    await ask();
    expect(await mails()).toHaveLength(1);
    deps.clock.advance(2);
    await ask();
    expect(await mails()).toHaveLength(2);
  });

  test("each mail has one-click unsubscription (RFC 8058)", async () => {
    await ask();
    const [mail] = await mails();
    const url = new URL(mail?.unsubscribeUrl ?? "");
    expect(url.pathname).toBe("/status/subscriptions/unsubscribe");
    await endSubscription(ending(), { token: url.searchParams.get("token") ?? "", info });
    expect(await subscribers()).toEqual([]);
  });
});

describe("managing", () => {
  test("the token shows, changes and ends a subscription, idempotently", async () => {
    await ask();
    const token = subscriptionToken(deps, await confirm(await lastToken()));
    await changeSubscription(deps, { token, components: ["static_assets"], info });
    expect(await getSubscription(deps, token)).toMatchObject({ kind: "email", components: ["static_assets"] });
    await endSubscription(ending(), { token, info });
    await endSubscription(ending(), { token, info });
    expect(await codeOf(getSubscription(deps, token))).toBe("subscription_not_found");
    expect(await codeOf(changeSubscription(deps, { token, components: [], info }))).toBe("subscription_not_found");
  });

  test("after the clock steps back an hour, an earlier confirmation doesn't delay a new one", async () => {
    await ask("ada@example.com", ["sandbox"]);
    const first = await lastToken();
    await ask("ada@example.com", ["sandbox"]);
    expect(await lastToken()).toBe(first);
    deps.clock.advance(-3600);
    await ask("ada@example.com", ["sandbox"]);
    expect(await deps.db.prisma.mail.count({ where: { recipient: "ada@example.com" } })).toBe(2);
  });

  test("selecting the same components in any order changes nothing", async () => {
    await ask("ada@example.com", ["sandbox", "billing_engine"]);
    const id = await confirm(await lastToken());
    const token = subscriptionToken(deps, id);
    for (const components of [["billing_engine", "sandbox"], ["sandbox", "billing_engine"], []] as ComponentKey[][])
      await changeSubscription(deps, { token, components, info });
    const { entries } = await searchAudit(deps, { action: "status_subscription.changed", subjectId: id });
    expect(entries.map(({ data }) => data)).toEqual([{ components: [] }]);
  });

  test("updates about added components are sent from the change on; updates about the others continue", async () => {
    await ask("ada@example.com", ["sandbox"]);
    const token = subscriptionToken(deps, await confirm(await lastToken()));
    const before = deps.clock.now();
    deps.clock.advance(3600);
    const since = async (components: ComponentKey[]) => {
      await changeSubscription(deps, { token, components, info });
      return (await getSubscription(deps, token)).confirmedAt;
    };
    expect(await since(["sandbox"])).toEqual(before);
    const added = new Date(deps.clock.now().getTime() - 600_000);
    expect(await since(["sandbox", "billing_engine"])).toEqual(added);
    deps.clock.advance(3600);
    expect(await since(["billing_engine"])).toEqual(added);
    const all = new Date(deps.clock.now().getTime() - 600_000);
    expect(await since([])).toEqual(all);
    deps.clock.advance(3600);
    expect(await since(["static_assets"])).toEqual(all);
    await ask("ada@example.com", ["sandbox"]);
    await confirm(await lastToken());
    expect((await getSubscription(deps, token)).confirmedAt).toEqual(new Date(deps.clock.now().getTime() - 600_000));
  });

  test("one click unsubscribes through the journal while the database hangs", async () => {
    await ask();
    const id = await confirm(await lastToken());
    const [row] = await subscribers();
    const written: JournalRecord[] = [];
    const journal = journalTo(written);
    const board = boardOf({ subscribers: [{ ...row, confirmedAt: deps.clock.now() } as never] });
    const impatient = connectDatabase(deps.config.databaseUrl, 1, { statement: 1_000 });
    try {
      await deps.db.sqlTransaction(async (sql) => {
        await sql.query(holdSubscriber, [id]);
        const token = subscriptionToken(deps, id);
        await endSubscription({ ...deps, db: impatient, board: () => board, journal }, { token, info });
      });
    } finally {
      await impatient.close();
    }
    expect(written).toMatchObject([{ kind: "subscriber_ended", subscriberId: id }]);
  });

  test("an ended subscription gets no further updates, and isn't restored", async () => {
    await ask();
    const id = await confirm(await lastToken());
    const [row] = await subscribers();
    const board = withRecords(boardOf({ subscribers: [{ ...row, confirmedAt: deps.clock.now() } as never] }), []);
    const written: JournalRecord[] = [];
    const journal = journalTo(written);
    await endSubscription({ ...deps, board: () => board, journal }, { token: subscriptionToken(deps, id), info });
    expect(written).toMatchObject([{ kind: "subscriber_ended", subscriberId: id }]);
    expect(withRecords(board, written).subscribers).toEqual([]);
    expect(await subscribers()).toEqual([]);
  });

  test("refuses a forged token", async () => {
    await ask();
    const [row] = await subscribers();
    const other = subscriptionToken(deps, "sub_other").split(".")[1];
    for (const token of ["", ".", row?.id ?? "", `${row?.id}.${other}`, `${row?.id}.`])
      expect(() => readSubscriptionToken(deps, token)).toThrow("This subscription wasn’t found");
  });
});

describe("by webhook", () => {
  const subscribe = (url = receiver.url) => subscribeWebhook(deps, { url, components: ["sandbox"], info });

  test("subscribes an address that accepts a signed test event, and returns its secret", async () => {
    const { id, secret } = await subscribe();
    expect(await subscribers()).toMatchObject([{ id, kind: "webhook", components: ["sandbox"] }]);
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: "status_subscription.test",
      data: { subscription_id: id, unsubscribe_url: expect.stringContaining(id) },
    });
  });

  test.each([
    ["answers 500", answers(500)],
    ["redirects", answers(302, "", { location: "https://example.com" })],
  ])("refuses an address that %s", async (_title, behaviour) => {
    receiver.behave(behaviour);
    expect(await codeOf(subscribe())).toBe("webhook_not_reached");
    expect(await subscribers()).toEqual([]);
  });

  test.each(["http://example.com/hook", "https://example.com:8443/", "ftp://example.com", "https://u:p@example.com/"])(
    "%s is refused before anything is sent",
    async (url) => expect(await codeOf(subscribe(url))).toBe("invalid_request"),
  );

  test("a second subscription of an address doesn't replace its secret", async () => {
    await subscribe();
    const before = await subscribers();
    expect(await codeOf(subscribe())).toBe("already_subscribed");
    expect(await subscribers()).toEqual(before);
  });

  test("reveals whether an address is subscribed only after its test event", async () => {
    await subscribe();
    receiver.behave(answers(404));
    expect(await codeOf(subscribe())).toBe("webhook_not_reached");
    expect(receiver.received).toHaveLength(2);
  });

  test("subscribes once with two concurrent requests", async () => {
    const codes = await Promise.all([codeOf(subscribe()), codeOf(subscribe())]);
    expect(codes.toSorted()).toEqual(["already_subscribed", null]);
    expect(await subscribers()).toHaveLength(1);
  });
});
