import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectFieldProblem, expectProblem } from "../support/answers/error-shape.ts";
import { type Answer, postJson, send, textOf } from "../support/answers/wire.ts";
import { signIn } from "../support/oauth/consent-driver.ts";
import * as flow from "../support/oauth/mandate-flow.ts";
import { postAs } from "../support/oauth/parties.ts";
import { sharedService } from "../support/shared-service.ts";

/** Two web processes per environment. Afterwards the sandbox is more than a year ahead. */
const service = sharedService();

const clockUrl = (baseUrl: string = service.sandboxUrl) => `${baseUrl}/sandbox/clock`;
const advance = (to: unknown, headers: Record<string, string> = {}) =>
  postJson(clockUrl(), { advance_to: to }, headers);
const readNow = async (): Promise<Date> => new Date(textOf(await send(clockUrl()), "now"));
const monthsAfter = (from: Date, months: number): Date =>
  new Date(new Date(from).setUTCMonth(from.getUTCMonth() + months));
const expectAdvanced = (answer: Answer, to: Date): void => {
  expect(answer.status, answer.text).toBe(200);
  expect(new Date(textOf(answer, "now")).getTime()).toBeGreaterThanOrEqual(to.getTime());
};

describe("POST /sandbox/clock (docs/spec/sandbox.md, Clock)", () => {
  test("refuses an invalid time or an unknown field, and names the field", async () => {
    for (const bad of ["tomorrow", "2027-11-21", 1_800_000_000, null, undefined, "2027-02-30T00:00:00Z"]) {
      expectFieldProblem(await advance(bad), "/advance_to");
    }
    const more = await postJson(clockUrl(), { advance_to: "2027-11-21T00:00:00Z", by: "me" });
    expectFieldProblem(more, "/by");
  });

  test("never moves back, or more than ten years ahead", async () => {
    expectFieldProblem(await advance("2020-01-01T00:00:00Z"), "/advance_to", {
      status: 409,
      code: "clock_not_forward",
    });
    expectFieldProblem(await advance("2200-01-01T00:00:00Z"), "/advance_to", { code: "clock_too_far" });
  });

  test("refuses requests from pages of another site, with or without a payer's session", async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    expectProblem(await advance(soon, { origin: "https://evil.example" }), 403, "cross_origin");
    const cookie = await signIn(service.sandboxUrl);
    expectProblem(await advance(soon, { cookie, "sec-fetch-site": "cross-site" }), 403, "cross_origin");
  });

  test("production responds with 404 to any method, and its OpenAPI document doesn't contain the path", async () => {
    const soon = { advance_to: new Date(Date.now() + 60_000).toISOString() };
    expectProblem(await postJson(clockUrl(service.productionUrl), soon), 404, "not_found");
    expectProblem(await postJson(clockUrl(service.productionUrl), {}), 404, "not_found");
    for (const method of ["GET", "PUT", "OPTIONS"]) {
      expectProblem(await send(clockUrl(service.productionUrl), { method }), 404, "not_found");
    }
    const pathsOf = async (baseUrl: string) =>
      Object.keys((JSON.parse((await send(`${baseUrl}/openapi.json`)).text) as { paths: object }).paths);
    expect(await pathsOf(service.productionUrl)).not.toContain("/sandbox/clock");
    expect(await pathsOf(service.sandboxUrl)).toContain("/sandbox/clock");
  });
});

describe("a year in a minute, on two web processes", () => {
  test("a monthly limit is used up and resets twelve times, then the mandate expires; tokens and proofs use real time", async () => {
    const limit = { period: "month", alignment: "consent", max_amount: 2_000 };
    const mandate = await flow.makeChargeableMandate(service.sandboxUrl, { periodic_limits: [limit] });
    const begin = await readNow();
    for (let month = 0; month < 12; month += 1) {
      // The last instants of the year belong to the twelfth month.
      const to = monthsAfter(begin, month);
      if (month > 0) expectAdvanced(await advance(to.toISOString()), to);
      const charges = await Promise.all([
        flow.charge(mandate, { amount: 1_000 }),
        flow.charge(mandate, { amount: 1_000 }),
      ]);
      for (const { status, text, json } of charges) {
        expect(status, text).toBe(201);
        expect(new Date(String(json?.["created_at"])).getTime()).toBeGreaterThanOrEqual(to.getTime());
      }
      const refused = await flow.charge(mandate, { amount: 1 });
      expectProblem(refused, 403, "refused_by_mandate");
      expect(refused.text).toContain("period_limit_exceeded");
    }

    // Issued eleven months ago in business time, and a moment ago in real time.
    const charges = await flow.agentGet(mandate, `/oauth/mandates/${mandate.mandateId}/charges`);
    expect(charges.status, charges.text).toBe(200);
    const refresh = { grant_type: "refresh_token", refresh_token: mandate.refreshToken };
    const renewed = await postAs(mandate.agent, "/oauth/token", { form: refresh, dpop: mandate.dpop });
    expect(renewed.status, renewed.text).toBe(200);

    const end = monthsAfter(begin, 12);
    expectAdvanced(await advance(end.toISOString()), end);
    const refused = await flow.charge(mandate, { amount: 1 });
    expectProblem(refused, 403, "refused_by_mandate");
    expect(refused.text).toContain("mandate_expired");
    const verdict = await flow.merchantPost(mandate, "/merchant_test/verify-mandate", {
      body: flow.chargeBody(mandate, { amount: 1 }),
    });
    expect(verdict.json).toMatchObject({ valid: false, status: "expired" });
    // The merchant's own token and the payer's session use real time, so they are still valid.
    expect((await flow.merchantGet(mandate, "/merchant_test/charges")).status).toBe(200);
    expect((await send(`${service.sandboxUrl}/oauth/status-list`)).status).toBe(200);
  });

  test("a mandate that is granted in the new year starts in that year, and pages show the moved time", async () => {
    const now = await readNow();
    const mandate = await flow.makeChargeableMandate(service.sandboxUrl);
    const answer = await flow.charge(mandate);
    expect(answer.status, answer.text).toBe(201);
    expect(new Date(String(answer.json?.["created_at"])).getTime()).toBeGreaterThanOrEqual(now.getTime());
    const cookie = await signIn(service.sandboxUrl);
    for (const path of ["/", "/wallet", "/docs"]) {
      const page = await send(`${service.sandboxUrl}${path}`, { headers: { cookie, accept: "text/html" } });
      expect({ path, text: /<span>(Sandbox clock: [^<]*)</.exec(page.text)?.[1]?.replace(/\s/g, " ") }).toEqual({
        path,
        text: `Sandbox clock: ${now.getUTCDate()} ${shortMonth(now)} ${now.getUTCFullYear()}`,
      });
    }
    expect((await send(`${service.productionUrl}/`, { headers: { accept: "text/html" } })).text).not.toContain(
      "Sandbox clock",
    );
  });

  test("the command in docs/first-calls.md moves the clock forward", async () => {
    const guide = await readFile("docs/first-calls.md", "utf8");
    const [, body = ""] = /curl http:\/\/localhost:3001\/sandbox\/clock [^\n]*--json '([^']+)'/.exec(guide) ?? [];
    const before = await readNow();
    const to = monthsAfter(before, 1);
    const sent = JSON.parse(body) as Record<string, unknown>;
    expect(Object.keys(sent)).toEqual(["advance_to"]);
    expectAdvanced(await postJson(clockUrl(), { ...sent, advance_to: to.toISOString() }), to);
  });
});

const shortMonth = (at: Date) => new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" }).format(at);
