import { beforeAll, describe, expect, it } from "vitest";
import { atomFindings, rssFindings } from "#e2e/support/answers/feed-validator.ts";
import { mountStatus } from "../../http/serve-status.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import { boardOf, incidentOf } from "../../status/rules/board.fixture.ts";
import type { Board } from "../../status/rules/board.ts";
import { provideStatusDeps, type StatusDeps } from "../../status/runtime.ts";
import { componentAtomEndpoint, statusRssEndpoint } from "./feeds.ts";

const statusUrl = "https://status.paygrant.example";
const { DELETE, GET, HEAD, OPTIONS } = mountStatus(statusRssEndpoint);
const { GET: component } = mountStatus(componentAtomEndpoint);
let board: Board;
beforeAll(() => {
  board = boardOf({ incidents: [incidentOf()] });
  const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
  provideStatusDeps({
    clock: systemClock,
    log,
    board: () => board,
    config: { statusUrl, baseUrl: "https://paygrant.example" },
  } as unknown as StatusDeps);
});

const ask = (path: string, headers: Record<string, string> = {}) => new Request(`${statusUrl}${path}`, { headers });

describe("a feed", () => {
  it("has its content type and a strong entity tag", async () => {
    const answer = await GET(ask("/status/feed.rss"));
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/rss+xml; charset=utf-8",
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(rssFindings(await answer.text(), `${statusUrl}/status/feed.rss`)).toEqual([]);
  });

  it("responds 304 until there is a new update (RFC 9110 §13.1.2)", async () => {
    const etag = (await GET(ask("/status/feed.rss"))).headers.get("etag") ?? "";
    const same = await GET(ask("/status/feed.rss", { "if-none-match": `"other", W/${etag}` }));
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
    board = boardOf({ incidents: [incidentOf({ title: "Another" })] });
    expect((await GET(ask("/status/feed.rss", { "if-none-match": etag }))).status).toBe(200);
  });

  it("contains only the component's own updates if it is the feed of a component; an unknown component has no feed", async () => {
    const answer = await component(ask("/status/components/sandbox/feed.atom"));
    const text = await answer.text();
    expect(atomFindings(text, `${statusUrl}/status/components/sandbox/feed.atom`)).toEqual([]);
    expect(text).not.toContain("<entry>");
    const unknown = await component(ask("/status/components/__proto__/feed.atom"));
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { type: "https://paygrant.example/docs/errors#component_not_found" },
    ]);
  });

  it("answers HEAD and OPTIONS, and refuses other methods", async () => {
    const head = await HEAD(ask("/status/feed.rss"));
    expect([head.status, await head.text(), head.headers.has("etag")]).toEqual([200, "", true]);
    expect((await OPTIONS(ask("/status/feed.rss"))).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    const refused = await DELETE(ask("/status/feed.rss"));
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});
