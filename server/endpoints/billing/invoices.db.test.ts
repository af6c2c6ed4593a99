import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { grantCredit } from "../../billing/credits/grant-credit.ts";
import { finalizeInvoice } from "../../billing/invoices/finalize-invoice.ts";
import { inputOf, makeDraft, makeFinalInvoice } from "../../billing/invoices/invoice.fixture.ts";
import { invoiceSchema } from "../../billing/invoices/invoice.wire.ts";
import { storeDraft } from "../../billing/invoices/store-draft.ts";
import { recordUsage } from "../../billing/meters/record-usage.ts";
import { parseExact } from "../../billing/rules/exact/exact.ts";
import { billDuePeriods } from "../../billing/subscriptions/run/bill-due-periods.ts";
import {
  applyPlans,
  bill,
  invoicesOf,
  makeSubscriber,
  testPlans,
} from "../../billing/subscriptions/subscription.fixture.ts";
import { readEventSet } from "../../data/billing/meters/event-set.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { signAccessToken } from "../../oauth/tokens/sign-access-token.ts";
import { getInvoiceEndpoint, listInvoiceLineEventsEndpoint, listInvoicesEndpoint } from "./invoices.ts";
import { listCreditsEndpoint, listLedgerEndpoint } from "./ledger.ts";

type Json = Record<string, unknown>;
type Party = { merchantId: string; clientId: string };

let deps: TestDeps;
let own: Party;
let other: Party;
let invoiceId: string;
let draftId: string;

const makeParty = async (): Promise<Party> => {
  const { id: merchantId } = await makeMerchant(deps);
  return { merchantId, clientId: (await makeMerchantClient(deps, merchantId)).id };
};

beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-02T00:00:00Z") });
  provideDeps(deps);
  own = await makeParty();
  other = await makeParty();
  ({ invoiceId } = await makeFinalInvoice(deps, { merchantId: own.merchantId, tokens: 3n }));
  deps.clock.advance(60);
  ({ invoiceId: draftId } = await makeDraft(deps, { merchantId: own.merchantId, currency: "USD" }));
});
afterAll(() => deps.close());

const endpoints = [
  ["/billing/invoices", listInvoicesEndpoint],
  ["/billing/invoices/x", getInvoiceEndpoint],
  ["/billing/invoices/x/lines/x/events", listInvoiceLineEventsEndpoint],
  ["/billing/ledger", listLedgerEndpoint],
  ["/billing/credits", listCreditsEndpoint],
] as const;

/** The endpoint for the path: its pattern has the same number of segments and the same second segment. */
const endpointOf = (path: string) => {
  const parts = (path.split("?")[0] ?? "").split("/");
  const found = endpoints.find(
    ([pattern]) => pattern.split("/").length === parts.length && pattern.split("/")[2] === parts[2],
  );
  if (!found) throw new Error(`no endpoint for ${path}`);
  return found[1];
};

const get = async (path: string, { as = own, scope = "billing.read", accept = "application/json" } = {}) => {
  const subject = { subject: as.clientId, clientId: as.clientId, clientEpoch: 1, jkt: null };
  const audience = `${deps.config.baseUrl}/billing`;
  const { token } = signAccessToken(deps, {
    ...subject,
    audience,
    scopes: [scope],
    lifetimeSeconds: 600,
    jti: newSecret(),
  });
  const headers = { authorization: `Bearer ${token}`, accept };
  const response = await serve(endpointOf(path))(new Request(`${deps.config.baseUrl}${path}`, { headers }));
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Json & { data: Json[] },
  };
};
const idsOf = async (path: string, as = own) => (await get(path, { as })).json.data.map(({ id }) => id);

describe("GET /billing/invoices (docs/spec/billing.md, Invoices)", () => {
  test("returns the merchant's invoices, newest first, without lines", async () => {
    const { status, headers, json } = await get("/billing/invoices");
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json).toMatchObject({
      has_more: false,
      data: [
        { id: draftId, number: null },
        { id: invoiceId, status: "open" },
      ],
    });
    expect(json.data[0]).not.toHaveProperty("lines");
  });

  test("filters by status, currency and time of issue, and pages", async () => {
    expect(await idsOf("/billing/invoices?status=draft")).toEqual([draftId]);
    expect(await idsOf("/billing/invoices?currency=EUR")).toEqual([invoiceId]);
    expect(await idsOf("/billing/invoices?from=2026-11-02T00:00:00Z&to=2026-11-03T00:00:00Z")).toEqual([invoiceId]);
    expect(await idsOf("/billing/invoices?limit=1")).toEqual([draftId]);
    expect(await idsOf(`/billing/invoices?limit=1&starting_after=${draftId}`)).toEqual([invoiceId]);
    expect(await idsOf(`/billing/invoices?ending_before=${invoiceId}`)).toEqual([draftId]);
  });

  test.each([
    ["status=late", "#status"],
    ["currency=EUX", "#currency"],
    ["from=yesterday", "#from"],
    ["from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z", "#to"],
    ["limit=0", "#limit"],
    ["starting_after=inv_none", "#starting_after"],
    ["plan=pro", "#plan"],
  ])("refuses ?%s", async (query, pointer) => {
    expect(await get(`/billing/invoices?${query}`)).toMatchObject({ status: 400, json: { errors: [{ pointer }] } });
  });
});

describe("GET /billing/invoices/{id} (docs/spec/billing.md, Invoices)", () => {
  test("returns the invoice with its lines, in the documented shape", async () => {
    const { status, headers, json } = await get(`/billing/invoices/${invoiceId}`);
    expect(status).toBe(200);
    expect(headers.get("vary")).toContain("Accept");
    expect(invoiceSchema.strict().parse(json)).toEqual(json);
    expect(json).toMatchObject({
      id: invoiceId,
      type: "invoice",
      corrects: null,
      status: "open",
      period: { from: "2026-10-01T00:00:00.000Z", to: "2026-11-01T00:00:00.000Z" },
      plan: { id: "pro", version: 1 },
      issued_at: "2026-11-02T00:00:00.000Z",
      due_at: "2026-11-16T00:00:00.000Z",
      subtotal: 4902,
      tax: 931,
      total: 5833,
      amount_due: 5833,
      taxes: [{ category: "S", rate: "19", base: 4902, amount: 931 }],
      lines: [
        { kind: "flat", amount: 4900 },
        { kind: "usage", meter: "tokens_issued", quantity: 3, exact: "1.5", amount: 2, net: 2 },
      ],
    });
  });

  test("responds with 404 for another merchant's or an unknown invoice, and with 406 for a type that it doesn't support", async () => {
    expect(await get(`/billing/invoices/${invoiceId}`, { as: other })).toMatchObject({ status: 404 });
    expect(await get("/billing/invoices/inv_none")).toMatchObject({ status: 404 });
    const { status, json } = await get(`/billing/invoices/${invoiceId}`, { accept: "image/png" });
    expect([status, json["title"]]).toEqual([406, "Not acceptable"]);
  });
});

describe("the events behind a line (docs/spec/billing.md, Invoices)", () => {
  test("are exactly the events that the line's set hash covers, without later ones, and are returned in pages", async () => {
    const { merchantId } = own;
    const usage = (eventId: string, time: string) => ({
      usage: { source: "api", eventId, meter: "sms", subject: null, quantity: 2, time: new Date(time) },
    });
    const sent = [1, 2, 3].map((hour) => usage(`e${hour}`, `2026-10-31T0${hour}:00:00Z`));
    await recordUsage(deps, { merchantId, clientId: own.clientId, requestId: "req_x", sent });
    const period = { from: new Date("2026-10-01T00:00:00Z"), to: new Date("2026-11-01T00:00:00Z") };
    const asOf = new Date(deps.clock.now().getTime() + 1);
    const query = { merchantId, meter: "own:sms", period, receivedBefore: asOf };
    const set = await readEventSet(deps.db.sql, query);
    const [part] = inputOf({ currency: "GBP" }).parts;
    if (!part) throw new Error("no part");
    const price = { model: "per_unit", unit: parseExact("1"), freeUnits: 0n } as const;
    const input = {
      ...inputOf({ currency: "GBP" }),
      parts: [
        {
          ...part,
          terms: { ...part.terms, prices: new Map([["own:sms", price]]) },
          usage: new Map([["own:sms", { quantity: 6n, amounts: [] }]]),
          events: new Map([["own:sms", { ...set, asOf }]]),
        },
      ],
    };
    const subject = { merchantId, subscriptionId: newId("bsub"), kind: "period" as const, period, plan: part.plan };
    const stored = await deps.db.sqlTransaction((sql) => storeDraft(sql, { ...subject, input, at: deps.clock.now() }));
    if (stored.outcome !== "stored") throw new Error(stored.outcome);
    await finalizeInvoice(deps, stored);
    // Received after the cut-off, so it doesn't belong to this line.
    deps.clock.advance(60);
    const late = [usage("late", "2026-10-31T04:00:00Z")];
    await recordUsage(deps, { merchantId, clientId: own.clientId, requestId: "req_x", sent: late });
    const { json } = await get(`/billing/invoices/${stored.invoiceId}`);
    const [flat, line] = json["lines"] as { id: string; events: { count: number; set_hash: string } | null }[];
    const path = `/billing/invoices/${stored.invoiceId}/lines/${line?.id}/events`;
    const first = await get(`${path}?limit=2`);
    expect(first.json).toMatchObject({ has_more: true, data: [{ meter: "own:sms", quantity: 2 }, {}] });
    const rest = await get(`${path}?starting_after=${first.json.data[1]?.["id"]}`);
    expect(rest.json["has_more"]).toBe(false);
    const ids = [...first.json.data, ...rest.json.data].map(({ id }) => String(id));
    expect(line?.events).toMatchObject({
      count: 3,
      set_hash: createHash("sha256").update(ids.toSorted().join("\n")).digest("hex"),
    });
    expect(await idsOf(`/billing/invoices/${stored.invoiceId}/lines/${flat?.id}/events`)).toEqual([]);
    expect(await get(path, { as: other })).toMatchObject({ status: 404 });
    expect(await get(`/billing/invoices/${invoiceId}/lines/${line?.id}/events`)).toMatchObject({ status: 404 });
  });
});

describe("GET /billing/ledger and /billing/credits (docs/spec/billing.md, Ledger)", () => {
  test("return the merchant's entries, balances and credits", async () => {
    const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
    const grant = { kind: "prepaid", currency: "JPY", amountMinor: 500n, priority: 1, expiresAt: null } as const;
    await grantCredit(deps, { ...grant, merchantId: own.merchantId, key: "k", reason: "paid", ...by });
    const { json } = await get("/billing/ledger?currency=EUR");
    expect(json["balances"]).toEqual([
      { account: "receivable", currency: "EUR", posted: 5833, pending: 0 },
      { account: "revenue", currency: "EUR", posted: -4902, pending: 0 },
      { account: "tax", currency: "EUR", posted: -931, pending: 0 },
    ]);
    expect(json.data).toHaveLength(3);
    expect((await get("/billing/ledger?account=receivable&currency=EUR")).json.data).toMatchObject([
      { direction: "debit", amount: 5833, state: "posted", source: { type: "invoice", id: invoiceId } },
    ]);
    expect((await get("/billing/credits")).json).toMatchObject({
      has_more: false,
      data: [{ kind: "prepaid", currency: "JPY", granted: 500, remaining: 500, priority: 1, expires_at: null }],
    });
    const [entry] = json.data;
    expect(await get("/billing/ledger?account=gold")).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "#account" }] },
    });
    expect((await get(`/billing/ledger?starting_after=${entry?.["id"]}`, { as: other })).status).toBe(400);
  });

  test("another merchant sees no invoices, entries, balances or credits", async () => {
    for (const path of ["/billing/invoices", "/billing/ledger", "/billing/credits"]) {
      const { json } = await get(path, { as: other });
      expect([path, json.data, json["balances"] ?? []]).toEqual([path, [], []]);
    }
  });

  test.each(endpoints)("%s needs the scope billing.read", async (path) => {
    expect((await get(path, { scope: "billing.write" })).status).toBe(403);
  });
});

test("a request for a document of a draft that waits for reconciliation gets 503 with Retry-After (docs/spec/billing.md, Reconciliation)", async () => {
  await applyPlans(deps, testPlans("2026-11-02"));
  const merchantId = await makeSubscriber(deps, "pro");
  const as = { merchantId, clientId: (await makeMerchantClient(deps, merchantId)).id };
  const documentOf = async (id: string, accept: string) => {
    const { status, headers, json } = await get(`/billing/invoices/${id}`, { as, accept });
    return [status, String(json["type"]).split("#")[1], headers.get("retry-after")];
  };
  deps.clock.set(new Date("2026-12-02T00:00:00Z"));
  await billDuePeriods(deps, { limit: 10 });
  const id = (await invoicesOf(deps, merchantId))[0]?.id ?? "";
  expect(await documentOf(id, "application/pdf")).toEqual([409, "invoice_not_final", null]);
  deps.clock.set(new Date("2026-12-03T00:00:00Z"));
  await billDuePeriods(deps, { limit: 10 });
  for (const accept of ["application/pdf", "application/xml"]) {
    expect(await documentOf(id, accept)).toEqual([503, "reconciliation_pending", "300"]);
  }
  expect((await get(`/billing/invoices/${id}`, { as })).json).toMatchObject({ status: "draft", number: null });
  await bill(deps);
  expect((await get(`/billing/invoices/${id}`, { as })).json).toMatchObject({ status: "open", pdf_sha256: null });
});
