import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { passwordAcr } from "../../accounts/sessions/sessions.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";
import { exportActivityEndpoint } from "./export-activity.ts";
import {
  chargeReceiptJsonEndpoint,
  chargeReceiptPdfEndpoint,
  mandateReceiptJsonEndpoint,
  mandateReceiptPdfEndpoint,
} from "./receipts.ts";

let deps: TestDeps;
let own: Awaited<ReturnType<typeof makeChargeableMandate>>;
let chargeId: string;
let cookie: string;
let foreignCookie: string;

const signIn = async (accountId: string): Promise<string> => {
  const secret = newSecret();
  const now = deps.clock.now();
  await deps.db.prisma.session.create({
    data: {
      id: `ses_${secret.slice(0, 24)}`,
      secretHash: sha256Base64url(secret),
      accountId,
      createdAt: now,
      lastSeenAt: now,
      authTime: now,
      acr: passwordAcr,
      expiresAt: new Date(now.getTime() + 3_600_000),
    },
  });
  return `__Host-pg_test=${secret}`;
};

beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  provideDeps(deps);
  own = await makeChargeableMandate(deps);
  chargeId = (await own.charge({ reference: "=cmd()" })).chargeId;
  cookie = await signIn(own.payer.id);
  foreignCookie = await signIn((await makeChargeableMandate(deps)).payer.id);
});
afterAll(() => deps.close());

const get = (endpoint: Endpoint, id: string, { as, query = "" }: { as: string; query?: string }): Promise<Response> => {
  const url = `${deps.config.baseUrl}${endpoint.path.replace("{id}", id)}${query}`;
  return serve(endpoint)(new Request(url, { headers: { cookie: as } }));
};

const receipts: [name: string, endpoint: Endpoint, id: () => string][] = [
  ["charge as PDF", chargeReceiptPdfEndpoint, () => chargeId],
  ["charge as JSON", chargeReceiptJsonEndpoint, () => chargeId],
  ["mandate as PDF", mandateReceiptPdfEndpoint, () => own.mandateId],
  ["mandate as JSON", mandateReceiptJsonEndpoint, () => own.mandateId],
];

describe("downloads of the wallet (docs/spec/portal.md, Wallet)", () => {
  it.each(receipts)("the receipt of a %s is returned only to its payer", async (_, endpoint, id) => {
    const answer = await get(endpoint, id(), { as: cookie });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.toString("latin1")).toMatch(endpoint.path.endsWith("pdf") ? /^%PDF-/ : /^\{/);
    expect((await get(endpoint, id(), { as: foreignCookie })).status).toBe(404);
    expect((await get(endpoint, "chg_unknown", { as: cookie })).status).toBe(404);
    const visitor = await get(endpoint, id(), { as: "" });
    expect([visitor.status, visitor.headers.get("location")?.startsWith("/sign-in?return_to=%2Fwallet%2F")]).toEqual([
      303,
      true,
    ]);
  });

  it("a receipt contains the charge and its payer; the PDF has the same bytes each time", async () => {
    const json = await (await get(chargeReceiptJsonEndpoint, chargeId, { as: cookie })).json();
    expect(json).toMatchObject({
      type: "charge_receipt",
      charge: { id: chargeId, amount: 1_000, status: "succeeded" },
    });
    const pdf = async () =>
      Buffer.from(await (await get(chargeReceiptPdfEndpoint, chargeId, { as: cookie })).arrayBuffer());
    expect((await pdf()).equals(await pdf())).toBe(true);
  });

  it("the CSV has the payer's rows that match the filters, with formulas escaped", async () => {
    const csv = (query: string, as = cookie) => get(exportActivityEndpoint, "", { as, query });
    expect((await (await csv("")).text()).split("\r\n")[1]).toContain(",'=cmd(),Paid,EUR,10.00,10.00,0.00");
    expect((await (await csv("?show=failed")).text()).trimEnd().split("\r\n")).toHaveLength(1);
    expect((await (await csv("", foreignCookie)).text()).trimEnd().split("\r\n")).toHaveLength(1);
    expect((await (await csv("?kind=refund")).text()).trimEnd().split("\r\n")).toHaveLength(1);
    expect((await csv("?kind=refunds")).status).toBe(400);
    expect((await csv("?show=everything")).status).toBe(400);
    expect((await csv("?agnet=x")).status).toBe(400);
  });
});
