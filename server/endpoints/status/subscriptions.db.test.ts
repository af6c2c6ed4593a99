import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { connectDatabase } from "../../data/client.ts";
import { mountStatus } from "../../http/serve-status.ts";
import { replayJournal } from "../../status/board/replay-journal.ts";
import { emptyBoard } from "../../status/rules/board.ts";
import { components } from "../../status/rules/components.ts";
import type { JournalRecord } from "../../status/rules/journal/journal-record.ts";
import { provideStatusDeps } from "../../status/runtime.ts";
import { openSubscriptionDraft } from "../../status/subscriptions/subscription-draft.ts";
import { subscriptionToken } from "../../status/subscriptions/subscription-token.ts";
import {
  changeSubscriptionEndpoint,
  confirmSubscriptionEndpoint,
  subscribeEndpoint,
  unsubscribeEndpoint,
  unsubscribePageEndpoint,
} from "./subscriptions.ts";

const statusUrl = "https://status.example";
const formType = "application/x-www-form-urlencoded";
const subscriptions = mountStatus(subscribeEndpoint);
const unsubscribe = mountStatus(unsubscribePageEndpoint, unsubscribeEndpoint);
const confirmation = mountStatus(confirmSubscriptionEndpoint);
const changing = mountStatus(changeSubscriptionEndpoint);

let deps: TestDeps;
let written: JournalRecord[] = [];
const append = async (records: readonly JournalRecord[]) => void written.push(...records);
const provide = (db = deps.db) =>
  provideStatusDeps({
    ...deps,
    db,
    board: () => emptyBoard(deps.clock.now()),
    journal: { append, pending: () => written },
    productionUrl: deps.config.baseUrl,
    sandboxUrl: null,
  });
beforeAll(async () => {
  deps = await createTestDeps({ config: { statusUrl } });
});
beforeEach(async () => {
  await deps.db.prisma.statusSubscriber.deleteMany();
  written = [];
  provide();
});
afterAll(() => deps.close());

/** Each test has its own caller. */
let caller = 0;
beforeEach(() => {
  caller += 1;
});
const request = (path: string, body: string, headers: Record<string, string> = {}) =>
  new Request(`${statusUrl}${path}`, {
    method: "POST",
    headers: { "content-type": formType, "x-paygrant-client-address": `203.0.113.${caller}`, ...headers },
    body,
  });
const byJson = (address: string, more: object = {}) =>
  subscriptions.POST(
    request("/status/subscriptions", JSON.stringify({ kind: "email", address, ...more }), {
      "content-type": "application/json",
    }),
  );
const browser = { accept: "text/html,application/xhtml+xml" };

describe("POST /status/subscriptions", () => {
  test("known and unknown addresses get the same response, byte for byte", async () => {
    const answers = [await byJson("a@example.com"), await byJson("a@example.com"), await byJson("b@example.com")];
    const responses = await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]));
    expect(new Set(responses.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify([202, '{"status":"confirmation_sent"}'])]),
    );
  });

  test("a form with all boxes selected subscribes to all components, including later ones; a component that isn't deployed has no box", async () => {
    const boxes = components.filter(({ key }) => key !== "static_assets").map(({ key }) => `&${key}=on`);
    await subscriptions.POST(
      request("/status/subscriptions", `kind=email&address=a%40example.com${boxes.join("")}`, browser),
    );
    expect(await deps.db.prisma.statusSubscriber.findMany()).toMatchObject([{ requestedComponents: [] }]);
  });

  test("the check boxes of a form select components, and the response redirects to the form's page", async () => {
    const body = "kind=email&address=a%40example.com&sandbox=on&billing_engine=on";
    const answer = await subscriptions.POST(request("/status/subscriptions", body, browser));
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/status/subscribe?sent=1"]);
    expect(await deps.db.prisma.statusSubscriber.findMany()).toMatchObject([
      { requestedComponents: ["billing_engine", "sandbox"], confirmedAt: null },
    ]);
  });

  test.each([
    ["which=all&sandbox=on", []],
    ["which=all", []],
    ["which=selected&sandbox=on", ["sandbox"]],
    [`which=selected${components.map(({ key }) => `&${key}=on`).join("")}`, components.map(({ key }) => key)],
  ])("the page's form sends %s", async (choice, expected) => {
    await subscriptions.POST(request("/status/subscriptions", `kind=email&address=a%40example.com&${choice}`, browser));
    const [subscriber] = await deps.db.prisma.statusSubscriber.findMany();
    expect(subscriber?.requestedComponents.toSorted()).toEqual(expected.toSorted());
  });

  test("refuses the choice of selected components if none is selected, and keeps the choice in the form", async () => {
    const sent = "kind=email&address=a%40example.com&which=selected";
    const answer = await subscriptions.POST(request("/status/subscriptions", sent, browser));
    const page = await answer.text();
    expect([answer.status, page]).toEqual([400, expect.stringContaining("Select at least one")]);
    const [, sealed = ""] = /draft=([^"&]+)/.exec(page) ?? [];
    expect(openSubscriptionDraft(deps, decodeURIComponent(sealed))).toMatchObject({ components: [] });
    expect(await deps.db.prisma.statusSubscriber.count()).toBe(0);
  });

  test("a refused form links to its page; for 5 minutes the page shows the entered values, which the URL doesn't reveal", async () => {
    const sent = new URLSearchParams({ kind: "email", address: "not an address", sandbox: "on" });
    const answer = await subscriptions.POST(request("/status/subscriptions", sent.toString(), browser));
    expect(answer.status).toBe(400);
    const [, href = ""] = /<a href="([^"]+)">Back to the form/.exec(await answer.text()) ?? [];
    const link = new URL(href.replaceAll("&amp;", "&"), statusUrl);
    expect([link.pathname, link.search.includes("ada")]).toEqual(["/status/subscribe", false]);
    const sealed = link.searchParams.get("draft");
    deps.clock.advance(299);
    const entered = openSubscriptionDraft(deps, sealed);
    expect(entered).toEqual({ kind: "email", address: "not an address", components: ["sandbox"] });
    expect(openSubscriptionDraft(deps, "changed")).toBeNull();
    deps.clock.advance(1);
    expect(openSubscriptionDraft(deps, sealed)).toBeNull();
  });

  test("a refused change or confirmation links back to its own page", async () => {
    for (const [endpoint, path, page] of [
      [changing, "/status/subscriptions/change", "manage"],
      [confirmation, "/status/subscriptions/confirm", "confirm"],
    ] as const) {
      const answer = await endpoint.POST(request(path, "token=sub_1.x", browser));
      expect(await answer.text()).toContain(`<a href="/status/${page}?token=sub_1.x">Back to the form`);
    }
  });

  test.each([
    ["another site's page", { "sec-fetch-site": "cross-site", origin: "http://evil.example" }, [403, 0]],
    ["a page on another host of the same site", { "sec-fetch-site": "same-site" }, [403, 0]],
    ["the status page", { "sec-fetch-site": "same-origin", origin: "null" }, [303, 1]],
    ["the status page, opened at an IP address over http", { origin: "http://192.0.2.7:3002" }, [303, 1]],
    ["a program", {}, [303, 1]],
  ])("checks from where a form was sent: %s", async (_whose, headers, expected) => {
    const body = "kind=email&address=a%40example.com";
    const answer = await subscriptions.POST(request("/status/subscriptions", body, headers));
    expect([answer.status, await deps.db.prisma.statusSubscriber.count()]).toEqual(expected);
    if (answer.status === 403)
      expect(await answer.json()).toMatchObject({ type: expect.stringMatching(/#cross_origin$/) });
  });

  test.each(["user@xn--h1alffa9f.xn--p1ai", "ops&alerts@example.com"])("%s is an address", async (address) => {
    expect((await byJson(address)).status).toBe(202);
  });

  test.each(["nobody", "a@b..example", "a@example.com\r\nBcc: b@example.com", "<a@example.com>"])(
    "%j isn't an address",
    async (address) => {
      const answer = await byJson(address);
      expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ pointer: "/address" }] }]);
    },
  );

  test("refuses an unknown component, and names its position", async () => {
    const answer = await byJson("a@example.com", { components: ["nothing"] });
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ pointer: "/components/0" }] }]);
  });

  test("allows twenty requests an hour per caller", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++) statuses.push((await byJson("nobody")).status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });

  test("allows sixty confirmations or changes an hour per caller", async () => {
    const change = () => changing.POST(request("/status/subscriptions/change", "token=sub_x.y"));
    const confirm = () => confirmation.POST(request("/status/subscriptions/confirm", "token=nobody"));
    const statuses: number[] = [];
    for (let count = 0; count < 31; count++) statuses.push((await change()).status, (await confirm()).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  test("reports an unavailable database to programs as a problem, and to browsers as a page", async () => {
    const away = connectDatabase("postgresql://unknown@127.0.0.1:9/none", 1);
    provide(away);
    const problem = await byJson("a@example.com");
    expect([problem.status, problem.headers.get("retry-after"), await problem.json()]).toMatchObject([
      503,
      "60",
      { detail: "This can’t be saved at the moment. Try again in a minute." },
    ]);
    const body = "kind=email&address=a%40example.com";
    const page = await subscriptions.POST(request("/status/subscriptions", body, browser));
    expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("This can’t be saved at the moment.");
    await away.close();
  });

  test("a refused form and a GET request to the form's URL both get a page that says what to do", async () => {
    const refused = await subscriptions.POST(request("/status/subscriptions", "kind=email", browser));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("check your entries")]);
    const opened = await subscriptions.GET(new Request(`${statusUrl}/status/subscriptions`, { headers: browser }));
    expect([opened.status, opened.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect(await opened.text()).toContain("There is nothing to show here.");
    const program = await subscriptions.GET(new Request(`${statusUrl}/status/subscriptions`));
    expect(program.headers.get("content-type")).toBe("application/problem+json");
  });
});

describe("GET never changes anything (docs/spec/status.md, Notifications), and one click unsubscribes (RFC 8058 §3.2)", () => {
  const subscribed = async () => {
    await byJson("a@example.com");
    const [row] = await deps.db.prisma.statusSubscriber.findMany();
    return `/status/subscriptions/unsubscribe?token=${subscriptionToken(deps, row?.id ?? "")}`;
  };
  const count = () => deps.db.prisma.statusSubscriber.count();

  test("GET redirects to the confirmation page", async () => {
    const path = await subscribed();
    const answer = await unsubscribe.GET(new Request(`${statusUrl}${path}`));
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/^\/status\/manage\?token=/),
    ]);
    expect(await count()).toBe(1);
    expect((await confirmation.GET(new Request(`${statusUrl}/status/subscriptions/confirm`))).status).toBe(405);
  });

  test.each([
    ["a form", formType, "List-Unsubscribe=One-Click"],
    [
      "multipart",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])(
    "a mail program's POST request (%s) unsubscribes without a redirect, and can be repeated",
    async (_title, type, body) => {
      const path = await subscribed();
      for (let turn = 0; turn < 2; turn++)
        expect((await unsubscribe.POST(request(path, body, { "content-type": type }))).status).toBe(200);
      expect(await count()).toBe(0);
    },
  );

  test("while the database is unavailable, one click unsubscribes through the journal, but not with a forged token", async () => {
    const path = await subscribed();
    const [row] = await deps.db.prisma.statusSubscriber.findMany();
    const away = connectDatabase("postgresql://unknown@127.0.0.1:9/none", 1);
    provide(away);
    for (let turn = 0; turn < 2; turn++)
      expect((await unsubscribe.POST(request(path, "List-Unsubscribe=One-Click"))).status).toBe(200);
    expect((await unsubscribe.POST(request(path.replace("token=", "token=x"), ""))).status).toBe(404);
    await away.close();
    // Two clicks, one record.
    expect(written).toMatchObject([{ kind: "subscriber_ended", subscriberId: row?.id }]);
    await replayJournal(deps, { records: written });
    await replayJournal(deps, { records: written });
    expect(await count()).toBe(0);
    const { entries } = await searchAudit(deps, { action: "status_subscription.ended", subjectId: row?.id });
    expect(entries).toHaveLength(1);
  });

  test("refuses a body above 64 KiB", async () => {
    const path = await subscribed();
    const long = { "content-length": "70000" };
    expect((await unsubscribe.POST(request(path, "x".repeat(70_000), long))).status).toBe(413);
    expect(await count()).toBe(1);
  });

  test.each(["token=a%00b", "token=a&token=b"])("refuses the malformed query %s", async (query) => {
    const answer = await unsubscribe.POST(
      request(`/status/subscriptions/unsubscribe?${query}`, "List-Unsubscribe=One-Click"),
    );
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { type: expect.stringMatching(/invalid_request$/) },
    ]);
  });

  test("a forged token unsubscribes no subscriber", async () => {
    await subscribed();
    const answer = await unsubscribe.POST(request("/status/subscriptions/unsubscribe?token=sub_x.y", ""));
    expect(answer.status).toBe(404);
    expect(await count()).toBe(1);
  });
});
