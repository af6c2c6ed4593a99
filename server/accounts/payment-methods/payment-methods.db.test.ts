import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient, makeGrant, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { newId } from "../../kernel/ids.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { addTestCard } from "./add-test-card.ts";
import { listPaymentMethods } from "./list-payment-methods.ts";
import { removePaymentMethod } from "./remove-payment-method.ts";
import { renamePaymentMethod } from "./rename-payment-method.ts";
import { setDefaultPaymentMethod } from "./set-default-payment-method.ts";

let deps: TestDeps;
beforeAll(async () => {
  const created = await createTestDeps();
  deps = { ...created, config: { ...created.config, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "k" } };
});
afterAll(() => deps.close());

const requestId = "req_test";
const makeNewcomer = async (): Promise<string> => {
  const { id, paymentMethodId } = await makePayer(deps);
  await deps.db.prisma.paymentMethod.delete({ where: { id: paymentMethodId } });
  return id;
};
const add = (payerId: string, card: Parameters<typeof addTestCard>[1]["card"] = "visa") =>
  addTestCard(deps, { payerId, card, requestId });
const list = (payerId: string) => listPaymentMethods(deps, { payerId });
const defaultsOf = async (payerId: string) => (await list(payerId)).filter(({ isDefault }) => isDefault);

const activate = async (payerId: string, paymentMethodId: string): Promise<string> => {
  const client = await makeAgentClient(deps);
  const grant = await makeGrant(deps, { clientId: client.id, payerId });
  const mandateId = newId("mdt");
  await deps.db.transaction((tx) =>
    activateMandates(deps, tx, {
      requestId,
      grantId: grant.id,
      clientId: client.id,
      payerId,
      paymentMethodId,
      mandateIds: [mandateId],
      budgetVisible: false,
      now: deps.clock.now(),
      details: [
        { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_total_amount: 1, purpose: "Groceries" },
      ],
    }),
  );
  return mandateId;
};

describe("payment methods of a payer (docs/spec/portal.md, Payment methods)", () => {
  test("the first test card is the default, even if several are added concurrently", async () => {
    const payerId = await makeNewcomer();
    await Promise.all([add(payerId), add(payerId, "declined"), add(payerId, "dispute"), add(payerId, "refund_fails")]);
    expect([(await list(payerId)).length, (await defaultsOf(payerId)).length]).toEqual([4, 1]);
  });

  test("a payer has at most 30 payment methods, even if they are added concurrently", async () => {
    const payerId = await makeNewcomer();
    const added = await Promise.allSettled(Array.from({ length: 34 }, () => add(payerId)));
    expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
    expect((await refusalOf(add(payerId))).code).toBe("too_many_payment_methods");
  });

  test("a form that is sent several times adds one card, even if it is the payer's 30th", async () => {
    const payerId = await makeNewcomer();
    for (let index = 0; index < 29; index += 1) await add(payerId);
    const send = (formKey: string) => addTestCard(deps, { payerId, card: "visa", requestId, formKey });
    const added = await Promise.all([send("form_1"), send("form_1"), send("form_1")]);
    expect(new Set(added.map(({ id }) => id)).size).toBe(1);
    expect(await list(payerId)).toHaveLength(30);
    expect((await refusalOf(send("form_2"))).code).toBe("too_many_payment_methods");
    const other = await makeNewcomer();
    const { id } = await addTestCard(deps, { payerId: other, card: "visa", requestId, formKey: "form_1" });
    expect(id).not.toBe(added[0]?.id);
  });

  test("test cards are refused if the simulator isn't configured", async () => {
    const withoutSimulator = { ...deps, config: { ...deps.config, simulatorUrl: null } };
    const refusal = refusalOf(addTestCard(withoutSimulator, { payerId: "acc_x", card: "visa", requestId }));
    expect((await refusal).code).toBe("test_cards_unavailable");
  });

  test("after concurrent changes of the default, there is exactly one default", async () => {
    const payerId = await makeNewcomer();
    const methods = await Promise.all([add(payerId), add(payerId, "mastercard"), add(payerId, "declined")]);
    await Promise.all(
      [...methods, ...methods].map(({ id }) =>
        setDefaultPaymentMethod(deps, { payerId, paymentMethodId: id, requestId }),
      ),
    );
    expect(await defaultsOf(payerId)).toHaveLength(1);
  });

  test("a change of an unknown method is refused, and the default is kept", async () => {
    const payerId = await makeNewcomer();
    const { id } = await add(payerId);
    const other = { payerId, paymentMethodId: "pm_unknown", requestId };
    expect((await refusalOf(setDefaultPaymentMethod(deps, other))).code).toBe("payment_method_not_found");
    expect((await refusalOf(removePaymentMethod(deps, other))).code).toBe("payment_method_not_found");
    expect((await refusalOf(renamePaymentMethod(deps, { ...other, nickname: "x" }))).code).toBe(
      "payment_method_not_found",
    );
    expect((await defaultsOf(payerId)).map((method) => method.id)).toEqual([id]);
  });

  test("a nickname is shown beside the label, and an empty nickname removes it", async () => {
    const payerId = await makeNewcomer();
    const { id: paymentMethodId } = await add(payerId);
    for (const nickname of ["Household", null]) {
      await renamePaymentMethod(deps, { payerId, paymentMethodId, nickname, requestId });
      expect(await list(payerId)).toMatchObject([{ label: "Visa ending in 4242", nickname }]);
    }
  });

  test("a method that a live mandate uses can't be removed, and the refusal names the mandate", async () => {
    const payerId = await makeNewcomer();
    const { id: paymentMethodId } = await add(payerId);
    const mandateId = await activate(payerId, paymentMethodId);
    await expect(removePaymentMethod(deps, { payerId, paymentMethodId, requestId })).rejects.toMatchObject({
      code: "payment_method_in_use",
      members: { mandates: ["Grocer Bot: Groceries"], count: 1 },
    });
    await revokeMandate(deps, { mandateId, actor: { kind: "payer", id: payerId }, requestId });
    await removePaymentMethod(deps, { payerId, paymentMethodId, requestId });
    expect(await list(payerId)).toEqual([]);
  });

  test("if the default is removed, the oldest other method becomes the default", async () => {
    const payerId = await makeNewcomer();
    const first = await add(payerId);
    deps.clock.advance(1);
    const second = await add(payerId, "mastercard");
    deps.clock.advance(1);
    await add(payerId, "declined");
    await removePaymentMethod(deps, { payerId, paymentMethodId: first.id, requestId });
    expect((await defaultsOf(payerId)).map(({ id }) => id)).toEqual([second.id]);
  });

  test("if a method is removed and used for an approval at the same time, exactly one of the two succeeds", async () => {
    for (let round = 0; round < 8; round++) {
      const payerId = await makeNewcomer();
      const { id: paymentMethodId } = await add(payerId);
      const outcomes = await Promise.allSettled([
        activate(payerId, paymentMethodId),
        removePaymentMethod(deps, { payerId, paymentMethodId, requestId }),
      ]);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
  });
});
