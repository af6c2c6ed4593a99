import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFieldProblem, expectProblem } from "../support/answers/error-shape.ts";
import { postJson, send, textOf } from "../support/answers/wire.ts";
import { command } from "../support/command.ts";
import { clientToken, type Merchant, registerMerchant } from "../support/oauth/parties.ts";
import { sharedService } from "../support/shared-service.ts";

/** Billing of the sandbox, on its clock. */
const service = sharedService();
const clockUrl = `${service.sandboxUrl}/sandbox/clock`;
const day = 24 * 3_600_000;

let merchant: Merchant;
let token: string;
let other: string;

const scope = "billing.read billing.write";
const subscribe = async (): Promise<[Merchant, string]> => {
  const party = await registerMerchant(service.sandboxUrl, { metadata: { scope } });
  return [party, await clientToken(party, { scope })];
};

beforeAll(async () => {
  const today = textOf(await send(clockUrl), "now").slice(0, 10);
  const file = path.join(await mkdtemp(path.join(tmpdir(), "plans-")), "plans.yaml");
  const plan = (id: string, flat: number) =>
    `  ${id}: {name: Test, effective_from: ${today}, interval: month, currencies: {EUR: {flat: ${flat}}}}\n`;
  await writeFile(file, `catalogue: 1\nplans:\n${plan("e2e_small", 3100)}${plan("e2e_large", 6200)}`);
  // Exit code 2: something changed.
  await command(service.environment, "plans", "apply", file, "--sandbox").catch(() => null);
  [merchant, token] = await subscribe();
  [, other] = await subscribe();
});

const call = (pathAndQuery: string, { bearer = token, body, ...headers }: Record<string, string> = {}) =>
  send(`${service.sandboxUrl}/billing/${pathAndQuery}`, {
    ...(body === undefined ? {} : { method: "PUT", body }),
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json", ...headers },
  });
const change = (body: object, headers: Record<string, string> = {}) =>
  call("subscription", { body: JSON.stringify(body), ...headers });
const jsonOf = async (answer: ReturnType<typeof call>) => JSON.parse((await answer).text);
const toLarge = { plan: "e2e_large", effective: "now" };
const advance = async (to: number): Promise<void> => {
  const answer = await postJson(clockUrl, { advance_to: new Date(to).toISOString() });
  expect(answer.status, answer.text).toBe(200);
};

describe("subscriptions over HTTP (docs/spec/billing.md, Subscriptions)", () => {
  test("without a subscription, the subscription and its preview are not found", async () => {
    expectProblem(await call("subscription"), 404, "subscription_not_found");
    expectProblem(await call("preview?plan=e2e_small"), 404, "subscription_not_found");
    expectProblem(await change(toLarge, { "if-match": '"x"' }), 404, "subscription_not_found");
  });

  test("npm run plans -- assign gives a merchant a plan", async () => {
    const args = ["assign", "--merchant", merchant.merchantId, "--plan", "e2e_small", "--sandbox"];
    expect(await command(service.environment, "plans", ...args)).toContain("has plan e2e_small version 1 in EUR");
    expect(await jsonOf(call("subscription"))).toMatchObject({
      id: expect.stringMatching(/^bsub_/),
      plan: { id: "e2e_small", version: 1 },
      status: "active",
      time_zone: "UTC",
      currencies: ["EUR"],
      trial_ends_at: null,
      cancel_at: null,
      pending_change: null,
    });
  });

  test("another merchant's token doesn't see the subscription, and a token without the scope is refused", async () => {
    expectProblem(await call("subscription", { bearer: other }), 404, "subscription_not_found");
    const reader = await clientToken(merchant, { scope: "billing.read" });
    const { hash } = await jsonOf(call("preview?plan=e2e_large"));
    const answer = await change(toLarge, { bearer: reader, "if-match": `"${hash}"` });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining("insufficient_scope"),
    ]);
  });

  test("names invalid parameters and fields", async () => {
    expectFieldProblem(await call("preview"), "#plan");
    expectFieldProblem(await call("preview?plan=e2e_large&effective=soon"), "#effective");
    expectFieldProblem(await call("preview?plan=e2e_large&version=0"), "#version");
    expectFieldProblem(await call("preview?plan=e2e_large&currency=XXX"), "#currency");
    expectFieldProblem(await call("preview?plan=e2e_large&when=now"), "#when");
    expectFieldProblem(await change({ ...toLarge, effective: "soon" }, { "if-match": '"x"' }), "/effective");
    expectFieldProblem(await change({ ...toLarge, cancel_at: "soon" }, { "if-match": '"x"' }), "/cancel_at");
    expectFieldProblem(await change({ ...toLarge, currency: "EUR" }, { "if-match": '"x"' }), "/currency");
    expectProblem(await call("preview?plan=unknown"), 404, "plan_not_found");
    expectProblem(await call("preview?plan=e2e_large&version=9"), 404, "plan_not_found");
    expectProblem(await call("preview?plan=e2e_large&currency=JPY"), 422, "currency_not_priced");
  });
});

describe("a change of plan over HTTP (docs/spec/billing.md, Plan changes)", () => {
  test("needs the hash of its preview in If-Match (RFC 6585 §3, RFC 9110 §13.1.1)", async () => {
    expectProblem(await change(toLarge), 428, "precondition_required");
    for (const tag of ['"x"', "*"]) {
      expectProblem(await change(toLarge, { "if-match": tag }), 412, "precondition_failed");
    }
    const { hash } = await jsonOf(call("preview?plan=e2e_large&effective=period_end"));
    expectProblem(await change(toLarge, { "if-match": `"${hash}"` }), 412, "precondition_failed");
    expectProblem(await change(toLarge, { "if-match": `W/"${hash}"` }), 412, "precondition_failed");
  });

  test("an immediate change replaces the plan; the next period starts when the clock is moved past the end of this one", async () => {
    const begin = new Date((await jsonOf(call("subscription"))).period.from).getTime();
    await advance(begin + 10 * day + 3_600_000);
    const preview = await jsonOf(call("preview?plan=e2e_large"));
    expect(preview).toMatchObject({ forecast: false, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(preview.due_now).toMatchObject({ status: "draft", number: null, plan: { id: "e2e_small" } });
    expect(preview.next).toMatchObject({ plan: { id: "e2e_large", version: 1 } });
    const changed = await change(toLarge, { "if-match": `"${preview.hash}"` });
    expect(changed.status, changed.text).toBe(200);
    expect(JSON.parse(changed.text)).toMatchObject({ plan: { id: "e2e_large" }, period: preview.next.period });
    await advance(new Date(preview.next.period.to).getTime() + day + 60_000);
    expect((await jsonOf(call("subscription"))).period.from).toBe(preview.next.period.to);
  });

  test("a pending change is shown, and a further one is refused", async () => {
    const atEnd = { plan: "e2e_small", effective: "period_end" };
    const preview = await jsonOf(call("preview?plan=e2e_small&effective=period_end"));
    expect(preview.due_now).toBeNull();
    const pending = JSON.parse((await change(atEnd, { "if-match": `"${preview.hash}"` })).text);
    expect(pending.pending_change).toEqual({
      plan: { id: "e2e_small", version: 1 },
      effective_at: pending.period.to,
    });
    const again = await jsonOf(call("preview?plan=e2e_small&effective=period_end"));
    expectProblem(await change(atEnd, { "if-match": `"${again.hash}"` }), 409, "change_pending");
  });

  test("a request with the scope billing.write withdraws a pending change; repeated requests also succeed", async () => {
    const withdraw = (bearer: string) =>
      send(`${service.sandboxUrl}/billing/subscription/pending-change`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${bearer}` },
      });
    const { pending_change: pending, ...subscription } = await jsonOf(call("subscription"));
    expect(pending).toMatchObject({ plan: { id: "e2e_small" } });
    const refused = await withdraw(await clientToken(merchant, { scope: "billing.read" }));
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining("insufficient_scope"),
    ]);
    expectProblem(await withdraw(other), 404, "subscription_not_found");
    for (let count = 0; count < 2; count++) {
      const answer = await withdraw(token);
      expect(answer.status, answer.text).toBe(200);
      expect(JSON.parse(answer.text)).toEqual({ ...subscription, pending_change: null });
    }
    expect(await jsonOf(call("subscription"))).toEqual({ ...subscription, pending_change: null });
  });
});
