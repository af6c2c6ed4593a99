import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, send } from "../support/answers/wire.ts";
import { clientToken, type Merchant } from "../support/oauth/parties.ts";

/** An operation that a shop wants to happen exactly once, so all its requests have the same idempotency key. */
export type Order = {
  kind: "charge" | "capture" | "void" | "refund";
  merchant: Merchant;
  path: string;
  key: string;
  body: Record<string, unknown>;
  /** the last conclusive answer; null: none yet */
  answer: Answer | null;
  /** a request was aborted; the service may still process it, and may refuse the next attempt in the meantime */
  wasAborted?: true;
  /** why the payer's last answer failed */
  refusal?: string;
};

/** Tokens are valid for 10 minutes; a long run needs several. */
const tokenMilliseconds = 300_000;
const tokens = new Map<string, { value: Promise<string>; since: number }>();

const tokenOf = async (merchant: Merchant): Promise<string> => {
  const known = tokens.get(merchant.id);
  if (known && Date.now() - known.since < tokenMilliseconds) return known.value;
  const value = clientToken(merchant);
  tokens.set(merchant.id, { value, since: Date.now() });
  value.catch(() => tokens.delete(merchant.id));
  return value;
};

/** One attempt of any request. @returns null when there was no answer, or no token to send. */
export const post = async (order: Omit<Order, "answer" | "kind">, signal?: AbortSignal): Promise<Answer | null> => {
  const { merchant, key, body } = order;
  try {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${await tokenOf(merchant)}`,
      "idempotency-key": key,
    };
    return await send(`${merchant.baseUrl}${order.path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
    });
  } catch {
    // The service or the client refused or aborted the connection, so the caller retries.
    return null;
  }
};

/** Whether an answer is conclusive for the order. After any other answer, the request is retried. */
const isConclusive = ({ status, json }: Answer): boolean =>
  [200, 201, 202, 402, 403, 422].includes(status) || (status === 409 && !String(json?.["type"]).endsWith("_in_use"));

/** The first final answer is repeated byte for byte. Until then the answer is the current state. */
const isFinal = (order: Order, answer: Answer): boolean =>
  [200, 201, 402].includes(answer.status) && !isUnderWay({ ...order, answer });

/** Whether the order still waits for its payer or the processor. Its last answer isn't final then. */
export const isUnderWay = ({ kind, answer }: Order): boolean =>
  answer?.status === 202 || (answer?.status === 201 && kind === "refund" && answer.json?.["status"] === "pending");

/** Violations of the rules, in words, and how often each status was answered. */
export type Complaints = { problems: string[]; statuses: Map<number, number> };

/** One attempt. A final answer must be repeated. @returns whether the order now has a conclusive answer. */
export const ask = async (order: Order, complaints: Complaints): Promise<boolean> => {
  const answer = await post(order);
  complaints.statuses.set(answer?.status ?? 0, (complaints.statuses.get(answer?.status ?? 0) ?? 0) + 1);
  if (answer === null) return false;
  const before = order.answer;
  if (before && isFinal(order, before) && isConclusive(answer)) {
    if (answer.status !== before.status || answer.text !== before.text) {
      complaints.problems.push(
        `${order.path} ${order.key}: ${before.status} ${before.text}, then ${answer.status} ${answer.text}`,
      );
    }
    return true;
  }
  if (answer.status === 503 && !answer.headers.has("retry-after"))
    complaints.problems.push(`${order.path} ${order.key}: 503 without Retry-After`);
  if (answer.status >= 500 && answer.status !== 503) {
    complaints.problems.push(`${order.path} ${order.key}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
  if (!isConclusive(answer)) return false;
  order.answer = answer;
  return true;
};

/** Sends a request and aborts the connection after some milliseconds; the service continues without the client. */
export const abortAfter = async (order: Order, milliseconds: number): Promise<void> => {
  order.wasAborted = true;
  await post(order, AbortSignal.timeout(milliseconds));
};

/** Retries until there is a conclusive answer or `until` returns true. A later phase then retries again. */
export const askUntilConclusive = async (order: Order, complaints: Complaints, until: () => boolean): Promise<void> => {
  for (let pause = 50; !(await ask(order, complaints)) && !until(); pause = Math.min(2 * pause, 1_000))
    await sleep(pause);
};

/** Sends the same key with another body, which must never make a second order. */
export const askOtherBody = async (order: Order, complaints: Complaints): Promise<void> => {
  const answer = await post({ ...order, body: { ...order.body, reference: "another body" } });
  if (answer && answer.status < 500 && answer.status !== 422) {
    complaints.problems.push(`${order.path} ${order.key} with another body: ${answer.status} ${answer.text}`);
  }
};
