import { hashPassword } from "#server/accounts/sign-in/passwords.ts";
import type { Deps } from "#server/deps/deps.ts";
import { newId } from "#server/kernel/ids.ts";

/** Public by design: it works only while BASE_URL is a loopback address (docs/spec/operations.md, Demo data). */
const password = "paygrant-demo";

export type People = {
  payerId: string;
  paymentMethodIds: [visa: string, mastercard: string];
  memberId: string;
  operatorId: string;
};

/** The three sign-ins, and the payer's two payment methods. */
export const seedPeople = async (deps: Deps, at: Date): Promise<People> => {
  const passwordHash = await hashPassword(password);
  const account = (name: string, displayName: string, operatorRole: "admin" | null = null) => ({
    id: newId("acc"),
    email: `${name}@demo.paygrant.test`,
    emailVerifiedAt: at,
    displayName,
    passwordHash,
    isOperator: operatorRole !== null,
    operatorRole,
    isDemo: true,
    createdAt: at,
  });
  const payer = account("payer", "Pat Payer");
  const member = account("merchant", "Mo Merchant");
  const operator = account("operator", "Ola Operator", "admin");
  const [visa, mastercard] = [newId("pm"), newId("pm")];
  const method = { payerId: payer.id, processor: "simulator", type: "card", createdAt: at };
  await deps.db.transaction(async (tx) => {
    await tx.account.createMany({ data: [payer, member, operator] });
    await tx.paymentMethod.createMany({
      data: [
        { ...method, id: visa, processorRef: "pm_card_visa", label: "Visa ending in 4242", isDefault: true },
        { ...method, id: mastercard, processorRef: "pm_card_mastercard", label: "Mastercard ending in 4444" },
      ],
    });
  });
  return { payerId: payer.id, paymentMethodIds: [visa, mastercard], memberId: member.id, operatorId: operator.id };
};
