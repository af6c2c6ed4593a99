import { send } from "../answers/wire.ts";
import { type EnvironmentName, simulatorOf } from "../instance.ts";

export type Payment = {
  id: string;
  status: string;
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  charge_id: string;
  key: string;
};

/**
 * One merchant's payments at the processor: the money that was really moved, regardless of the content of our database.
 */
export const listPayments = async (environment: EnvironmentName, merchantId: string): Promise<Payment[]> => {
  const { url, key } = await simulatorOf(environment);
  const payments: Payment[] = [];
  for (let offset = 0; ; offset += 1000) {
    const query = new URLSearchParams({ account: `acct_${merchantId}`, limit: "1000", offset: String(offset) });
    const answer = await send(`${url}/v1/payments?${query}`, { headers: { authorization: `Bearer ${key}` } });
    const page = (answer.json as { data: Payment[] } | null)?.data;
    if (!page) throw new Error(`simulator: ${answer.status} ${answer.text}`);
    payments.push(...page);
    if (page.length < 1000) return payments;
  }
};

export const movedAmount = (payments: readonly Payment[]): number =>
  payments.filter(({ status }) => status === "succeeded").reduce((sum, { amount }) => sum + amount, 0);
