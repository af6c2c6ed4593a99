import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { chargeBody, type Standing } from "../support/mandate-flow.ts";
import { clientToken } from "../support/parties.ts";
import { type Answer, postJson } from "../support/wire.ts";

/** One payment that a shop wanted, under one key for good, and the last answer that it got. */
export type Order = { standing: Standing; key: string; body: object; amount: number; answer: Answer | null };

/** A shop asks again until it has an answer that says what became of the payment. */
const tells = ({ status }: Answer): boolean => [201, 202, 402, 403].includes(status);

/** Tokens live 10 minutes; a long run needs several. */
const tokenMilliseconds = 300_000;
const tokens = new Map<string, { value: string; since: number }>();

const tokenOf = async ({ merchant }: Standing): Promise<string> => {
  const known = tokens.get(merchant.id);
  if (known && Date.now() - known.since < tokenMilliseconds) return known.value;
  const value = await clientToken(merchant);
  tokens.set(merchant.id, { value, since: Date.now() });
  return value;
};

/** One try. @returns null where nobody answered, or the answer was not to be had. */
export const attempt = async ({ standing, key, body }: Order): Promise<Answer | null> => {
  try {
    const authorization = `Bearer ${await tokenOf(standing)}`;
    return await postJson(`${standing.merchant.baseUrl}/merchant_test/charge`, body, {
      authorization,
      "idempotency-key": key,
    });
  } catch {
    // Connection refused or broken off, or no token: the service is being killed, and that is what retries are for.
    return null;
  }
};

const faults = ["error_once", "decline:insufficient_funds", "decline:lost_card"];

const newOrder = (standings: readonly Standing[]): Order => {
  const standing = standings[Math.floor(Math.random() * standings.length)];
  if (!standing) throw new Error("no mandate to charge");
  const amount = 1 + Math.floor(Math.random() * 900);
  const simulate = Math.random() < 0.15 ? faults[Math.floor(Math.random() * faults.length)] : undefined;
  const body = chargeBody(standing, { amount, ...(simulate ? { metadata: { simulate } } : {}) });
  return { standing, key: randomUUID(), body, amount, answer: null };
};

/** Shops that order one after the other until `until`; each asks again with the same key, and gives up only then. */
export const runShops = async (standings: readonly Standing[], shops: number, until: number): Promise<Order[]> => {
  const orders: Order[] = [];
  const run = async () => {
    while (Date.now() < until) {
      const order = newOrder(standings);
      orders.push(order);
      while (Date.now() < until) {
        order.answer = (await attempt(order)) ?? order.answer;
        if (order.answer && tells(order.answer)) break;
        await sleep(50 + Math.random() * 200);
      }
    }
  };
  await Promise.all(Array.from({ length: shops }, run));
  return orders;
};
