import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../../deps/deps.ts";
import { ownUserAgent } from "../../../kernel/own-agent.ts";
import type { DueEvent } from "../store/events.ts";
import type { StoredPayment } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { WebhookFault } from "./behaviour.ts";
import { signWebhook } from "./webhook-signature.ts";

/** Usually the answer is there long before its webhook. */
const usualMs = 1_000;
const lateMs = 30_000;
const outOfOrderMs = 3_000;
const attemptTimeoutMs = 8_000;
const maxAttempts = 10;
const width = 8;
const keptMs = 3_600_000;
const forgetEveryMs = 60_000;
const strideMs = 50;
const troubleMs = 5_000;
const never = Number.POSITIVE_INFINITY;

export type Webhooks = {
  /**
   * What is to be told is written before this returns, so that it can be one commit with what happened.
   * @param type for example `payment.succeeded`; resolves at once, but after delivery for `webhook_before_response`.
   */
  tell(payment: StoredPayment, type: string, fault: WebhookFault | null, dispute?: string): Promise<void>;
  /** What will have come to its end by then, whoever asks. */
  tellLater(payment: StoredPayment, type: string, delayMs: number): void;
  /** Delivers what is held back. */
  flush(): number;
  close(): Promise<void>;
};

type Options = { url: string; key: string; store: Store; log: Log };

/** Tells a payment's changes to one address, at least once, over HTTP, signed; tries again for over an hour. */
export const startWebhooks = ({ url, key, store, log }: Options): Webhooks => {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** when the timer goes off; infinite where none is set */
  let wakesAt = never;
  let forgetsAt = 0;
  let round: Promise<void> = Promise.resolve();

  const deliver = async (event: DueEvent): Promise<void> => {
    try {
      const headers = {
        "content-type": "application/json",
        "user-agent": ownUserAgent,
        "simulator-signature": signWebhook(key, event.body, Date.now()),
      };
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(attemptTimeoutMs)]);
      const response = await fetch(url, { method: "POST", headers, body: event.body, signal, redirect: "error" });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`status ${response.status}`);
      const now = Date.now();
      await store.soon(() => store.markDelivered(event, now));
    } catch (error) {
      if (stop.signal.aborted) return;
      log.debug({ event: event.id, err: error }, "webhook not delivered");
      const dueAt = Date.now() + 5_000 * 2 ** event.attempts;
      await store.soon(() =>
        event.attempts + 1 < maxAttempts ? store.postponeEvent(event, dueAt) : store.giveUpEvent(event),
      );
    }
  };

  const work = async (): Promise<void> => {
    wakesAt = never;
    while (!stop.signal.aborted) {
      const due = store.listDueEvents(Date.now(), width);
      if (due.length === 0) break;
      await Promise.all(due.map(deliver));
    }
    if (stop.signal.aborted) return;
    if (Date.now() > forgetsAt) {
      store.forgetDelivered(Date.now() - keptMs);
      forgetsAt = Date.now() + forgetEveryMs;
    }
    wakeForNext();
  };
  /** What is due within one stretch of `strideMs` is told together: each time that the process wakes costs more than a call. */
  const wakeAt = (dueAt: number): void => {
    const at = dueAt > Date.now() ? Math.ceil(dueAt / strideMs) * strideMs : dueAt;
    if (at === never || at >= wakesAt || stop.signal.aborted) return;
    wakesAt = at;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        round = round.then(work).catch((error: unknown) => {
          // Its books can't be written, on a full disk say: what is due stays due.
          log.error({ err: error }, "simulator fault");
          wakeAt(Date.now() + troubleMs);
        });
      },
      Math.max(at - Date.now(), 0),
    );
  };
  const wakeForNext = (): void => wakeAt(store.nextEventAt() ?? never);
  wakeForNext();

  const queue = (payment: StoredPayment, type: string, delayMs: number, copies: number, dispute?: string): void => {
    const id = `sime_${randomBytes(12).toString("hex")}`;
    const { id: paymentId, account, chargeId } = payment;
    const body = JSON.stringify({ id, type, account, payment: paymentId, charge_id: chargeId, dispute });
    const dueAt = Date.now() + delayMs;
    for (let copy = 0; copy < copies; copy += 1) store.queueEvent({ id, account, body, dueAt });
    wakeAt(dueAt);
  };

  return {
    tell(payment, type, fault, dispute) {
      if (fault === "webhook_lost") return Promise.resolve();
      if (fault === "webhook_out_of_order") queue(payment, "payment.created", outOfOrderMs, 1);
      const delayMs = fault === "webhook_late" ? lateMs : fault === "webhook_before_response" ? 0 : usualMs;
      queue(payment, type, delayMs, fault === "webhook_twice" ? 2 : 1, dispute);
      // Long enough to be taken, and no longer than a caller waits.
      const isAwaited = fault === "webhook_before_response";
      return isAwaited ? untilDelivered(store, payment.account, stop.signal) : Promise.resolve();
    },
    tellLater: (payment, type, delayMs) => queue(payment, type, delayMs, 1),
    flush() {
      const hastened = store.hastenEvents(Date.now());
      if (hastened > 0) wakeAt(Date.now());
      return hastened;
    },
    async close() {
      stop.abort();
      clearTimeout(timer);
      await round;
    },
  };
};

const untilDelivered = async (store: Store, account: string, stopped: AbortSignal): Promise<void> => {
  for (let waited = 0; waited < 3_000 && !stopped.aborted; waited += 20) {
    if (!store.hasDueEvent(account, Date.now())) return;
    await sleep(20);
  }
};

export const noWebhooks: Webhooks = {
  tell: async () => {},
  tellLater: () => {},
  flush: () => 0,
  close: async () => {},
};
