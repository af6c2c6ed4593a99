import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { requestCharge } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { announceCharge } from "./announce-charge.ts";
import { cancelNotice } from "./cancel-notice.ts";
import { getMerchantNotice } from "./list-notices.ts";
import type { NoticeRequest } from "./notice.wire.ts";
import { listPayerNotices } from "./payer-notices.ts";

let deps: TestDeps;
let own: Awaited<ReturnType<typeof makeChargeableMandate>>;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
beforeEach(async () => {
  own = await makeChargeableMandate(deps, { max_total_amount: 6_000 });
});
afterAll(() => deps.close());

const dueIn = (hours: number) => addSeconds(deps.clock.now(), hours * 3600).toISOString();

const announce = (request: Partial<NoticeRequest> = {}, idempotencyKey: string = newId("req")) =>
  announceCharge(deps, {
    merchantId: own.merchant.id,
    clientId: own.merchantClient.id,
    requestId: "req_test",
    idempotencyKey,
    request: {
      mandate_id: own.mandateId,
      amount: 1_000,
      currency: "EUR",
      due_at: dueIn(48),
      reference: "Order 7",
      ...request,
    },
  });

const cancel = (noticeId: string) =>
  cancelNotice(deps, {
    merchantId: own.merchant.id,
    clientId: own.merchantClient.id,
    requestId: "req_test",
    noticeId,
  });

const statusOf = async (noticeId: string) => {
  const { status, charge_id } = await getMerchantNotice(deps, { merchantId: own.merchant.id, noticeId });
  return [status, charge_id];
};

const acts = async (subjectId: string) => {
  const rows = await deps.db.prisma.$queryRaw<{ action: string }[]>`
    SELECT action FROM audit_entry WHERE subject_id = ${subjectId} ORDER BY seq`;
  return rows.map(({ action }) => action);
};

const mails = async () => {
  const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: own.payer.id } });
  return deps.db.prisma.mail.findMany({ where: { recipient: email, kind: "charge_announced" } });
};

describe("a charge notice (docs/spec/payments.md, Charge notices)", () => {
  it("mails the payer the exact amount and a link, writes an audit entry, and reserves nothing", async () => {
    const { notice } = await announce();
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain("€10.00");
    expect(mail?.text).toContain(`/wallet/upcoming/${notice.id}`);
    expect(await own.counters()).toMatchObject({ used: 0n, held: 0n, usedCount: 0n, heldCount: 0n });
    expect(await acts(notice.id)).toEqual(["charge_notice.announced"]);
  });

  it("makes one notice and one mail when eight requests with the same key arrive together", async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => announce({ due_at: dueIn(50) }, "same")));
    expect(new Set(results.map(({ notice }) => notice.id)).size).toBe(1);
    expect(results.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
    expect(await mails()).toHaveLength(1);
    expect(await refusalOf(announce({ amount: 2_000 }, "same"))).toMatchObject({ code: "idempotency_key_reused" });
  });

  it("accepts a charge in exactly 24 hours, and refuses an earlier one", async () => {
    expect((await announce({ due_at: dueIn(24) })).notice.canceledAt).toBeNull();
    const due_at = new Date(Date.parse(dueIn(24)) - 1).toISOString();
    expect(await refusalOf(announce({ due_at }))).toMatchObject({ code: "invalid_request", pointers: ["/due_at"] });
  });

  it.each<[string, Partial<NoticeRequest>]>([
    ["amount_exceeds_per_payment", { amount: 5_001 }],
    ["currency_mismatch", { currency: "USD" }],
    ["mandate_expired", { due_at: "2099-01-01T00:00:00Z" }],
  ])("refuses a charge that the mandate doesn't allow at the announced time: %s", async (reason, request) => {
    expect(await refusalOf(announce(request))).toMatchObject({ code: "refused_by_mandate", reasons: [reason] });
    expect(await mails()).toEqual([]);
  });

  it("checks the remaining limits, without counting other notices", async () => {
    await own.charge({ amount: 4_000 });
    await announce({ amount: 2_000 });
    await announce({ amount: 2_000 });
    expect(await refusalOf(announce({ amount: 2_001 }))).toMatchObject({ reasons: ["total_limit_exceeded"] });
  });

  it("gives a merchant without a standing permission the same answer as for an unknown mandate", async () => {
    const other = await makeChargeableMandate(deps);
    const unknown = await refusalOf(announce({ mandate_id: "mdt_unknown" }));
    expect(await refusalOf(announce({ mandate_id: other.mandateId }))).toEqual(unknown);
    expect(unknown).toMatchObject({ kind: "not_found", code: "mandate_not_found" });
  });

  it("refuses the 21st open notice of a merchant and mandate, and accepts it after one is canceled", async () => {
    const [first] = await Promise.all(Array.from({ length: 20 }, () => announce({ amount: 1 })));
    expect(await refusalOf(announce({ amount: 1 }))).toMatchObject({ code: "too_many_announced" });
    await cancel(first?.notice.id ?? "");
    expect((await announce({ amount: 1 })).isRepeat).toBe(false);
  });

  it("is completed by one charge with its amount and reference; if several notices match, the charge completes the earliest", async () => {
    const [late, early] = [await announce({ due_at: dueIn(72) }), await announce({ due_at: dueIn(48) })];
    const other = await announce({ reference: "Order 8" });
    await own.charge({ amount: 999, reference: "Order 7" });
    expect(await statusOf(early.notice.id)).toEqual(["announced", null]);
    const { chargeId } = await own.charge({ amount: 1_000, reference: "Order 7" });
    expect(await statusOf(early.notice.id)).toEqual(["charged", chargeId]);
    expect(await statusOf(late.notice.id)).toEqual(["announced", null]);
    expect(await statusOf(other.notice.id)).toEqual(["announced", null]);
    expect(await refusalOf(cancel(early.notice.id))).toMatchObject({ code: "notice_charged" });
  });

  it("isn't completed by a charge that is too late, or that was made before the announcement", async () => {
    const { notice: past } = await announce({ due_at: dueIn(24) });
    deps.clock.advance(4 * 86_400);
    const { notice: due } = await announce({ due_at: dueIn(48) });
    const { chargeId } = await own.charge({ reference: "Order 7" });
    expect(await statusOf(past.id)).toEqual(["past", null]);
    expect(await statusOf(due.id)).toEqual(["charged", chargeId]);
    expect((await own.charge({ reference: "Order 7" })).status).toBe(201);
    const { notice: later } = await announce({ due_at: dueIn(48) });
    expect(await statusOf(later.id)).toEqual(["announced", null]);
  });

  it("is completed only once: concurrent charges in two processes complete different notices", async () => {
    const notices = await Promise.all([48, 49, 50, 51].map((hours) => announce({ due_at: dueIn(hours) })));
    const other = await anotherNode(deps);
    const charge = (node: TestDeps) =>
      requestCharge(node, {
        merchantId: own.merchant.id,
        clientId: own.merchantClient.id,
        requestId: "req_test",
        idempotencyKey: newId("req"),
        request: {
          mandate_id: own.mandateId,
          amount: 1_000,
          currency: "EUR",
          payer_presence: "in_session",
          reference: "Order 7",
        },
      });
    const charges = await Promise.all([deps, other, deps, other].map(charge));
    await other.close();
    const completed = await Promise.all(notices.map(({ notice }) => statusOf(notice.id)));
    expect(completed.map(([status]) => status)).toEqual(["charged", "charged", "charged", "charged"]);
    expect(completed.map(([, id]) => id).toSorted()).toEqual(charges.map(({ chargeId }) => chargeId).toSorted());
  });

  it("is canceled only once by concurrent calls of the merchant; the end of its mandate also cancels it", async () => {
    const [first, second] = [await announce(), await announce()];
    await Promise.all([cancel(first.notice.id), cancel(first.notice.id)]);
    expect(await statusOf(first.notice.id)).toEqual(["canceled", null]);
    expect(await acts(first.notice.id)).toEqual(["charge_notice.announced", "charge_notice.canceled"]);
    const actor = { kind: "payer", id: own.payer.id } as const;
    await revokeMandate(deps, { mandateId: own.mandateId, actor, requestId: "req_test" });
    expect(await statusOf(second.notice.id)).toEqual(["canceled", null]);
    expect(await refusalOf(announce())).toMatchObject({ reasons: ["mandate_revoked"] });
  });

  it("is found in the payer's search by merchant, app, purpose or reference, among the upcoming or the past notices", async () => {
    const [first, second] = [await announce({ reference: "Order 7" }), await announce({ reference: "Invoice_100%" })];
    const found = async (search: string, show: "upcoming" | "past" = "upcoming") => {
      const page = await listPayerNotices(deps, { payerId: own.payer.id, show, search, limit: 5 });
      return page.notices.map(({ id }) => id).toSorted();
    };
    const both = [first.notice.id, second.notice.id].toSorted();
    const [notice] = (await listPayerNotices(deps, { payerId: own.payer.id, show: "upcoming", limit: 1 })).notices;
    for (const name of [notice?.merchant.name, notice?.client.name, notice?.mandate.purpose]) {
      expect(await found((name ?? "missing").toUpperCase())).toEqual(both);
    }
    expect(await found("order")).toEqual([first.notice.id]);
    expect(await found("e_1")).toEqual([second.notice.id]);
    expect(await found("%7")).toEqual([]);
    await cancel(first.notice.id);
    expect([await found("order"), await found("order", "past")]).toEqual([[], [first.notice.id]]);
  });

  it("is hidden from other merchants", async () => {
    const { notice } = await announce();
    const other = await makeChargeableMandate(deps);
    const act = { merchantId: other.merchant.id, noticeId: notice.id };
    expect(await refusalOf(getMerchantNotice(deps, act))).toMatchObject({ code: "notice_not_found" });
    const by = { clientId: other.merchantClient.id, requestId: "req_test" };
    expect(await refusalOf(cancelNotice(deps, { ...act, ...by }))).toMatchObject({ code: "notice_not_found" });
  });
});
