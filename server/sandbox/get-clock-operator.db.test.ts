import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { openSession, passwordAcr } from "../accounts/sessions/sessions.ts";
import { refusalOf } from "../charges/charge/charge-setup.fixture.ts";
import { getClockOperator } from "./get-clock-operator.ts";

const info = { requestId: "req_test", ipAddress: "203.0.113.9", userAgent: "Vitest" };
let deps: TestDeps;
let operator: { id: string; cookie: string };
let payer: { id: string; cookie: string };

const signIn = async (isOperator: boolean) => {
  const { id } = await makePayer(deps);
  await deps.db.prisma.account.update({
    where: { id },
    data: { isOperator, operatorRole: isOperator ? "admin" : null },
  });
  const now = deps.clock.now();
  const { secret } = await deps.db.transaction((tx) => openSession(tx, { accountId: id, acr: passwordAcr, info, now }));
  return { id, cookie: `__Host-pg_test=${secret}` };
};

beforeAll(async () => {
  deps = await createTestDeps();
  [operator, payer] = [await signIn(true), await signIn(false)];
});
afterAll(() => deps?.close());

const own = () => ({ origin: deps.config.baseUrl, "sec-fetch-site": "same-origin" });
type Place = { ipAddress?: string; isEmbedded?: boolean };
const getOperator = (headers: Record<string, string>, { ipAddress = "203.0.113.9", isEmbedded = true }: Place = {}) =>
  getClockOperator({ ...deps, config: { ...deps.config, isEmbedded } }, { headers: new Headers(headers), ipAddress });
const refusal = async (...args: Parameters<typeof getOperator>) => (await refusalOf(getOperator(...args))).code;

describe("moving the sandbox's clock (docs/spec/sandbox.md, Clock)", () => {
  test("is allowed for an operator on one of our pages, on any machine", async () => {
    const actor = { kind: "operator", id: operator.id };
    expect(await getOperator({ cookie: operator.cookie, ...own() })).toEqual(actor);
    expect(await getOperator({ cookie: operator.cookie, ...own() }, { isEmbedded: false })).toEqual(actor);
  });

  test("is allowed for a program on this machine without a session, if the default embedded database is used", async () => {
    for (const ipAddress of ["127.0.0.1", "::1"]) {
      expect(await getOperator({}, { ipAddress })).toEqual({ kind: "operator", id: "loopback" });
      expect(await refusal({}, { ipAddress, isEmbedded: false })).toBe("operator_required");
    }
  });

  test("isn't allowed for visitors, payers or programs on another machine", async () => {
    expect(await refusal({})).toBe("operator_required");
    expect(await refusal({ cookie: payer.cookie, ...own() })).toBe("operator_required");
    expect(await refusal({ cookie: operator.cookie.replace(/.$/, "_"), ...own() })).toBe("operator_required");
  });

  test("isn't allowed for a page of another site, even with an operator's session or from this machine", async () => {
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      // DNS rebinding: the page's own host name now leads to this machine, so the browser reports same-origin.
      { "sec-fetch-site": "same-origin", origin: "http://evil.example:3001" },
    ];
    for (const headers of foreign) {
      expect(await refusal({ cookie: operator.cookie, ...headers })).toBe("cross_origin");
      expect(await refusal(headers, { ipAddress: "127.0.0.1" })).toBe("cross_origin");
    }
    expect(await refusal({ cookie: operator.cookie })).toBe("cross_origin");
  });
});
