import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { passwordAcr } from "../../accounts/sessions/sessions.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";
import { saveLogo } from "../../merchants/logo/save-logo.ts";
import { makePng } from "../../merchants/rules/logo/png.fixture.ts";
import { makeMember } from "../../trpc/merchant/merchant-tenant.fixture.ts";
import { merchantLogoEndpoint } from "./logo.ts";
import { merchantLogoPreviewEndpoint } from "./logo-preview.ts";

let deps: TestDeps;
const picture = makePng(64, 64);
const hash = sha256Base64url(picture);
const merchant = { id: "", member: "", operator: "", stranger: "" };
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
  merchant.id = await makeWithLogo();
  merchant.member = await signIn(await makeMember(deps, merchant.id, "viewer"));
  merchant.stranger = await signIn(await makeMember(deps, await makeWithLogo(), "owner"));
  const { id } = await makePayer(deps);
  await deps.db.prisma.account.update({ where: { id }, data: { isOperator: true, operatorRole: "viewer" } });
  merchant.operator = await signIn(id);
});
afterAll(() => deps.close());

const makeWithLogo = async (): Promise<string> => {
  const { id: merchantId } = await makeMerchant(deps);
  const actor = { kind: "merchant", id: "acc_owner" } as const;
  await saveLogo(deps, { merchantId, content: picture, replaces: null, actor, requestId: "req_test" });
  return merchantId;
};

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

const get = async (endpoint: Endpoint, headers: Record<string, string> = {}, name = hash) => {
  const path = endpoint.path.replace("{merchant_id}", merchant.id).replace("{hash}", name);
  return serve(endpoint)(new Request(`${deps.config.baseUrl}${path}`, { headers }));
};
const cachingOf = ({ status, headers }: Response) => [status, headers.get("cache-control")];

const states = {
  approved: { review: "approved", suspendedAt: null, chargesEnabled: true },
  "approved and not connected": { review: "approved", suspendedAt: null, chargesEnabled: false },
  pending: { review: "pending", suspendedAt: null },
  declined: { review: "declined", suspendedAt: null },
  suspended: { review: "approved", suspendedAt: new Date() },
} as const;

describe("the logo of a merchant (docs/spec/portal.md, Settings)", () => {
  test.each([
    ["approved", 200],
    ["approved and not connected", 200],
    ["pending", 404],
    ["declined", 404],
    ["suspended", 404],
  ] as const)(
    "if the merchant is %s: the public URL returns %d, and members and operators see the logo",
    async (state, status) => {
      await deps.db.prisma.merchant.update({ where: { id: merchant.id }, data: states[state] });
      const caching = status === 200 ? "public, max-age=300, must-revalidate" : "no-store";
      // The public response is the same for everyone, so that a shared cache can keep it.
      for (const cookie of ["", merchant.member, merchant.operator]) {
        expect(cachingOf(await get(merchantLogoEndpoint, { cookie }))).toEqual([status, caching]);
        const known = await get(merchantLogoEndpoint, { cookie, "if-none-match": `"${hash}"` });
        expect(cachingOf(known)).toEqual([status === 200 ? 304 : 404, caching]);
      }
      for (const cookie of [merchant.member, merchant.operator]) {
        const preview = await get(merchantLogoPreviewEndpoint, { cookie });
        expect(cachingOf(preview)).toEqual([200, "private, no-cache"]);
        expect(Buffer.from(await preview.arrayBuffer()).equals(picture)).toBe(true);
      }
      for (const cookie of ["", merchant.stranger]) {
        expect(cachingOf(await get(merchantLogoPreviewEndpoint, { cookie }))).toEqual([404, "no-store"]);
      }
    },
  );

  test("can't run scripts when opened as a page; an unknown hash is not found", async () => {
    await deps.db.prisma.merchant.update({ where: { id: merchant.id }, data: states.approved });
    for (const endpoint of [merchantLogoEndpoint, merchantLogoPreviewEndpoint]) {
      const { headers } = await get(endpoint, { cookie: merchant.member });
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "image/png",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "cross-origin-resource-policy": "same-origin",
        etag: `"${hash}"`,
      });
      const unknown = await get(endpoint, { cookie: merchant.member }, "A".repeat(43));
      expect(cachingOf(unknown)).toEqual([404, "no-store"]);
    }
  });
});
