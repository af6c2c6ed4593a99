import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { passwordAcr } from "../../accounts/sessions/sessions.ts";
import { makeDraft, makeFinalInvoice } from "../../billing/invoices/invoice.fixture.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";
import type { PdfDocument, PdfSection } from "../../platform/pdf/pdf-document.ts";
import { renderPdf } from "../../platform/pdf/render-pdf.ts";
import { makeMember } from "../../trpc/merchant/merchant-tenant.fixture.ts";
import { invoiceDocumentEndpoint } from "./invoice-document.ts";

let deps: TestDeps;
let own: { invoiceId: string; merchantId: string };
let cookie: string;

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

const longDocument = (rows: PdfSection["rows"]): PdfDocument => ({
  title: "Long",
  subtitle: "",
  banner: null,
  brand: "Paygrant",
  sections: [{ heading: null, rows }],
  footer: "",
  pageLabel: "Page {page} of {pages}",
  language: "en",
  at: "2026-11-02T00:00:00.000Z",
});

beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-02T00:00:00Z") });
  provideDeps(deps);
  own = await makeFinalInvoice(deps);
  cookie = await signIn(await makeMember(deps, own.merchantId, "viewer"));
});
afterAll(() => deps.close());

const get = (format: string, { invoiceId, merchantId, as = cookie }: typeof own & { as?: string }) => {
  const path = `/merchant/billing/invoices/${invoiceId}/documents/${format}?merchant=${merchantId}`;
  const headers = { cookie: as, accept: "text/html" };
  return serve(invoiceDocumentEndpoint)(new Request(`${deps.config.baseUrl}${path}`, { headers }));
};

describe("documents of an invoice in the dashboard (docs/spec/billing.md, Merchant pages)", () => {
  test.each([
    ["pdf", "application/pdf", "pdf", "%PDF-"],
    ["csv", "text/csv; charset=utf-8; header=present", "csv", "line_id,kind,meter"],
    ["ubl", "application/xml", "xml", "<?xml"],
  ])("%s is saved under the invoice's number, for members only", async (format, type, extension, start) => {
    const answer = await get(format, own);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const name = `TEST-INV-2026-000001.${extension}`;
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    expect((await answer.text()).startsWith(start)).toBe(true);
    const visitor = await get(format, { ...own, as: "" });
    expect([visitor.status, visitor.headers.get("location")]).toEqual([303, expect.stringMatching(/^\/sign-in\?/)]);
  });

  test("the PDF has the hash that is stored with the invoice", async () => {
    const bytes = new Uint8Array(await (await get("pdf", own)).arrayBuffer());
    const hash = createHash("sha256").update(bytes).digest("hex");
    const [row] = await deps.db.prisma.$queryRaw<
      { hash: string }[]
    >`SELECT pdf_sha256 AS hash FROM billing_invoice WHERE id = ${own.invoiceId}`;
    expect(row?.hash).toBe(hash);
  });

  test("another merchant's invoice is not found, even if the request names that merchant; an unknown format is refused", async () => {
    const foreign = await makeFinalInvoice(deps);
    const { id: merchantId } = await makeMerchant(deps);
    expect((await get("pdf", { ...foreign, merchantId: own.merchantId })).status).toBe(404);
    expect((await get("pdf", foreign)).status).toBe(404);
    expect((await get("pdf", { ...own, merchantId })).status).toBe(404);
    expect((await get("docx", own)).status).toBe(400);
  });

  test("a draft has only a CSV file, and an invoice in a currency with three decimals has no UBL file", async () => {
    const draft = await makeDraft(deps, { merchantId: own.merchantId, currency: "USD" });
    expect((await get("csv", draft)).status).toBe(200);
    expect((await get("pdf", draft)).status).toBe(409);
    const dinars = await makeFinalInvoice(deps, { merchantId: own.merchantId, currency: "KWD" });
    expect((await get("ubl", dinars)).status).toBe(404);
    expect((await get("pdf", dinars)).status).toBe(200);
  });

  test("the contract declares every error status, including the one for too many PDFs at the same time", async () => {
    const draft = await makeDraft(deps, { merchantId: own.merchantId, currency: "USD" });
    const refused = [await get("docx", own), await get("ubl", { ...own, invoiceId: "inv_x" }), await get("ubl", draft)];
    const rows = Array.from({ length: 60 }, (_, index) => [`Row ${index}`, "1"] as const);
    const drawn: Promise<unknown>[] = [];
    const fill = setInterval(() => drawn.push(renderPdf(longDocument(rows)).catch(() => null)), 1);
    for (let attempt = 0; attempt < 20 && refused.at(-1)?.status !== 503; attempt += 1)
      refused.push(await get("pdf", own));
    clearInterval(fill);
    await Promise.all(drawn);
    const statuses = new Set(refused.map(({ status }) => String(status)).filter((status) => status !== "200"));
    expect([...statuses]).toEqual(["400", "404", "409", "503"]);
    expect(invoiceDocumentEndpoint.errorCodes).toEqual([...statuses]);
  });
});
