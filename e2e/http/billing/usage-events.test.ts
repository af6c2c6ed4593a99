import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFieldProblem, expectProblem } from "../../support/answers/error-shape.ts";
import { postJson, send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { clientToken, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

let writing: string;
let reading: string;
beforeAll(async () => {
  const merchant = await registerMerchant(sandboxUrl, { metadata: { scope: "billing.read billing.write" } });
  writing = await clientToken(merchant, { scope: "billing.write" });
  reading = await clientToken(merchant, { scope: "billing.read" });
});

const post = (body: unknown, token = writing) =>
  postJson(`${sandboxUrl}/billing/usage-events`, body, { authorization: `Bearer ${token}` });
const postText = (body: string) =>
  send(`${sandboxUrl}/billing/usage-events`, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${writing}`, "content-type": "application/json" },
  });
const get = (path: string) => send(`${sandboxUrl}${path}`, { headers: { authorization: `Bearer ${reading}` } });
const event = (id: string, change: object = {}) => ({
  id,
  source: "search-api",
  meter: "searches",
  quantity: 3,
  time: new Date().toISOString(),
  ...change,
});

describe("POST /billing/usage-events", () => {
  test("requires billing.write of the billing resource (docs/spec/oauth.md, Clients, scopes and resources)", async () => {
    expect(decodeJwt(writing)).toMatchObject({ aud: `${sandboxUrl}/billing`, scope: "billing.write" });
    const answer = await post({ events: [event("1")] }, reading);
    expectProblem(answer, 403, "insufficient_scope");
    expect(answer.headers.get("www-authenticate")).toContain('scope="billing.write"');
    const denied = await send(`${sandboxUrl}/billing/usage`, { headers: { authorization: `Bearer ${writing}` } });
    expectProblem(denied, 403, "insufficient_scope");
  });

  test("returns a result for each event, names the invalid field, and lists the counted events (docs/spec/billing.md, Usage events)", async () => {
    const good = event("é-1", { subject: "customer-42" });
    const sent = { events: [good, event("2", { quantity: -1 }), good, { ...good, quantity: 4 }, 7] };
    const first = await post(sent);
    expect(first.headers.get("cache-control")).toBe("no-store");
    const refused = (pointer: string, detail: string) => ({ status: "refused", errors: [{ pointer, detail }] });
    const conflict = { pointer: "/events/3/id", detail: "was already used for a different event of this source" };
    expect(first.json).toMatchObject({
      accepted: 1,
      duplicates: 1,
      conflicts: 1,
      refused: 2,
      results: [
        { status: "accepted" },
        refused("/events/1/quantity", "must be an integer from 1 to 999999999999"),
        { status: "duplicate" },
        { status: "conflict", errors: [conflict] },
        { status: "refused", errors: [{ pointer: "/events/4" }] },
      ],
    });
    expect((await post(sent)).json).toMatchObject({ accepted: 0, duplicates: 2, conflicts: 1, refused: 2 });
    const period = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
    const usage = await get(`/billing/usage?${period}`);
    expect(usage.json?.["own_meters"]).toEqual({
      data: [{ meter: "searches", count: 1, total_quantity: "3" }],
      has_more: false,
    });
    const listed = await get(`/billing/usage/events?${period}&meter=searches`);
    expect(listed.json).toEqual({
      data: [
        {
          id: expect.stringMatching(/^uev_/),
          meter: "searches",
          time: good.time,
          source: "search-api",
          event_id: "é-1",
          subject: "customer-42",
          quantity: 3,
          received_at: expect.any(String),
        },
      ],
      has_more: false,
    });
  });

  test("accepts 1,000 events in a body of exactly 1 MiB, and refuses one more event or byte", async () => {
    const source = "s".repeat(200);
    const batch = (count: number) =>
      JSON.stringify({
        events: Array.from({ length: count }, (_, id) => event(`b${id}`, { source, subject: source })),
      });
    const filled = (size: number) => batch(1_000).padEnd(size, " ");
    expect((await postText(filled(2 ** 20))).json).toMatchObject({ accepted: 1_000 });
    expectProblem(await postText(filled(2 ** 20 + 1)), 413, "body_too_large");
    expectFieldProblem(await postText(batch(1_001)), "/events");
    expectFieldProblem(await postText('{"events":[]}'), "/events");
    expectFieldProblem(await postText(`{"events":[${"0,".repeat(500_000)}0]}`), "/events");
  });

  test("refuses only the events that contain NUL or an unpaired surrogate", async () => {
    const batch = [
      event("t1"),
      event("t2\0"),
      event("t3", { subject: "\ud800" }),
      event("t4", { "x\0": 1 }),
      "\udc00",
      event("t5"),
    ];
    const { json } = await postText(JSON.stringify({ events: batch }));
    const detail = "must not contain NUL or an unpaired surrogate";
    const refused = (pointer: string, text = detail) => ({ status: "refused", errors: [{ pointer, detail: text }] });
    expect(json).toMatchObject({
      accepted: 2,
      refused: 4,
      results: [
        { status: "accepted" },
        refused("/events/1/id"),
        refused("/events/2/subject"),
        refused("/events/3", `a name ${detail}`),
        refused("/events/4"),
        { status: "accepted" },
      ],
    });
    expectProblem(await postText('{"events":[],"a\\u0000":1}'), 400, "invalid_request");
  });
});
