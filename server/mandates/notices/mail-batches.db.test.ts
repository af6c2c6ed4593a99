import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient, makeGrant, makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { setNotification } from "../../data/accounts/notification-choices.ts";
import { queueMailBatchesTick } from "../../jobs/messages/queue-mail-batches.ts";
import { newId } from "../../kernel/ids.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { deleteOAuthClient } from "../../operators/clients/delete-oauth-client.ts";
import { activateMandates } from "../lifecycle/activate-mandates.ts";

let deps: TestDeps;
let node: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  node = await anotherNode(deps);
});
afterAll(async () => {
  await node?.close();
  await deps?.close();
});

const actor = { kind: "operator", id: "acc_operator" } as const;
const requestId = "req_test";
const details = {
  type: "payment_mandate_v1" as const,
  actions: ["charge" as const],
  currency: "EUR",
  max_amount_per_payment: 5_000,
  payer_presence: ["in_session" as const],
};

/** Makes a client with mandates of `count` payers; the first payer has two mandates. @returns the payers. */
const makeClientOfMany = async (count: number) => {
  const { id: clientId } = await makeAgentClient(deps);
  const payerIds: string[] = [];
  for (let index = 0; index < count; index++) {
    const { id: payerId, paymentMethodId } = await makePayer(deps);
    const { id: grantId } = await makeGrant(deps, { clientId, payerId });
    const mandateIds = index === 0 ? [newId("mdt"), newId("mdt")] : [newId("mdt")];
    const of = { requestId, grantId, clientId, payerId, paymentMethodId, budgetVisible: false, now: deps.clock.now() };
    await deps.db.transaction((tx) =>
      activateMandates(deps, tx, { ...of, details: mandateIds.map(() => details), mandateIds }),
    );
    payerIds.push(payerId);
  }
  return { clientId, payerIds };
};

const addressOf = (accountId: string) => `${accountId.toLowerCase()}@example.test`;
const mailsTo = (accountIds: readonly string[]) =>
  deps.db.prisma.mail.findMany({ where: { recipient: { in: accountIds.map(addressOf) } } });
const end = (clientId: string) =>
  deleteOAuthClient(deps, { clientId, reason: "It spends for strangers", actor, requestId });
const runAll = async (on: TestDeps) => {
  while ((await queueMailBatchesTick.run(on)).hasMore);
};

describe("e-mails about a change with many recipients (docs/spec/operations.md, E-mail)", () => {
  test("the deletion of a client records a few rows, and workers queue one e-mail for each payer", {
    timeout: 60_000,
  }, async () => {
    const { clientId, payerIds } = await makeClientOfMany(105);
    const [first = "", second = ""] = payerIds;
    await end(clientId);
    expect(await mailsTo(payerIds)).toEqual([]);
    const batches = await deps.db.prisma.mandateMailBatch.findMany();
    expect(batches.map(({ mandateIds }) => mandateIds.length).toSorted((a, b) => a - b)).toSatisfy(
      (sizes: number[]) =>
        sizes.length === 2 && sizes[0] !== undefined && sizes[0] <= 6 && sizes[0] + (sizes[1] ?? 0) === 106,
    );
    // As with other kinds of e-mail, a payer who switches this kind off before the e-mail is queued doesn't receive it.
    await setNotification(deps.db.sql, { accountId: second, kind: "mandate_changed", isOn: false });

    // A crash in the middle of a batch doesn't change the batch.
    let inserts = 0;
    const crashing: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        sqlTransaction: (work) =>
          deps.db.sqlTransaction((sql) =>
            work({
              query: (statement, values) => {
                if (statement.name === "insert_mails" && ++inserts === 4) throw new Error("killed");
                return sql.query(statement, values);
              },
            }),
          ),
      },
    };
    await expect(queueMailBatchesTick.run(crashing)).rejects.toThrow("killed");
    expect(await mailsTo(payerIds)).toEqual([]);

    await Promise.all([runAll(deps), runAll(node), runAll(deps)]);
    const mails = await mailsTo(payerIds);
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(
      payerIds
        .filter((id) => id !== second)
        .map(addressOf)
        .toSorted(),
    );
    expect(mails.find(({ recipient }) => recipient === addressOf(first))?.text).toContain("2");
    for (const { kind, text } of mails) {
      expect(kind).toBe("mandate_changed");
      expect(text).toContain("By: The Paygrant team");
      expect(text).not.toContain("strangers");
    }
    expect(await deps.db.prisma.mandateMailBatch.count()).toBe(0);
    expect(await queueMailBatchesTick.run(deps)).toEqual({ done: 0, hasMore: false });
  });

  test("if there are few payers, their e-mails are queued in the transaction of the change; a failed deletion leaves no batch", async () => {
    const few = await makeClientOfMany(2);
    await end(few.clientId);
    expect(await mailsTo(few.payerIds)).toHaveLength(2);
    const many = await makeClientOfMany(21);
    const failing: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        sqlTransaction: (work) =>
          deps.db.sqlTransaction(async (sql) => {
            await work(sql);
            throw new Error("stop");
          }),
      },
    };
    const input = { clientId: many.clientId, reason: "-", actor, requestId };
    await expect(deleteOAuthClient(failing, input)).rejects.toThrow("stop");
    expect(await deps.db.prisma.mandateMailBatch.count()).toBe(0);
  });

  test("for a large team, workers queue the e-mail about its suspended merchant, once per recipient", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const managers: string[] = [];
    for (let index = 0; index < 105; index++) {
      const { id: accountId } = await makePayer(deps);
      managers.push(accountId);
      const member = { merchantId, accountId, role: "admin" as const, createdAt: deps.clock.now() };
      await deps.db.prisma.merchantMember.create({ data: member });
    }
    await deps.db.prisma.account.update({ where: { id: managers[7] ?? "" }, data: { email: "no address" } });
    const suspend = () =>
      setSuspension(deps, { merchantId, isSuspended: true, reason: "No answers", actor, requestId });
    await Promise.all([suspend(), suspend()]);
    expect(await mailsTo(managers)).toEqual([]);
    expect(await deps.db.prisma.mailBatch.count()).toBe(2);
    await Promise.all([runAll(deps), runAll(node)]);
    const mails = await mailsTo(managers);
    expect(mails).toHaveLength(104);
    expect(new Set(mails.map(({ kind, state }) => `${kind} ${state}`))).toEqual(
      new Set(["merchant_suspended pending"]),
    );
    // Only the e-mail to the invalid address fails.
    expect(await deps.db.prisma.mail.findMany({ where: { recipient: "no address" } })).toMatchObject([
      { kind: "merchant_suspended", state: "failed", problem: "not an address" },
    ]);
    expect(await deps.db.prisma.mailBatch.count()).toBe(0);
  });
});
