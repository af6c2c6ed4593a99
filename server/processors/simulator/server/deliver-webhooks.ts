import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../../deps/deps.ts";
import { ownUserAgent } from "../../../kernel/requests/own-agent.ts";
import type { DueEvent } from "../store/events.ts";
import type { StoredPayment } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { createAlarm } from "./alarm.ts";
import type { WebhookFault } from "./behaviour.ts";
import { signWebhook } from "./webhook-signature.ts";

/** Long enough that the caller normally gets the response before the webhook. */
const usualMs = 1_000;
const lateMs = 30_000;
const outOfOrderMs = 3_000;
const attemptTimeoutMs = 8_000;
const maxAttempts = 10;
const maxConcurrent = 8;
const keepDeliveredMs = 3_600_000;
const deleteEveryMs = 60_000;

type Message = { type: string; fault: WebhookFault | null; dispute?: string };

export type Webhooks = {
  /**
   * Stores the event synchronously, so that one commit can contain both the event and the caller's change. `type`: for
   * example `payment.succeeded`. Resolves immediately; for `webhook_before_response`, after delivery or after 3 s. For
   * `webhook_lost`, stores nothing.
   */
  send(payment: StoredPayment, message: Message): Promise<void>;
  /** Stores an event for a later time. */
  sendLater(payment: StoredPayment, type: string, delayMs: number): void;
  /** Delivers delayed events now. */
  flush(): number;
  close(): Promise<void>;
};

type Options = { url: string; key: string; store: Store; log: Log };

/** Sends signed events about payments to one URL. An event is deleted after ten failed attempts (43 minutes). */
export const startWebhooks = (options: Options): Webhooks => {
  const { store, log } = options;
  const stop = new AbortController();
  const alarm = createAlarm(deliverDue(options, stop.signal), (error) => {
    // The store can't be written, for example on a full disk: the events stay due.
    log.error({ err: error }, "simulator fault");
  });
  const queue = (payment: StoredPayment, { copies, ...event }: Queued): void => {
    const dueAt = Date.now() + event.delayMs;
    const id = `sime_${randomBytes(12).toString("hex")}`;
    const body = bodyOf(id, payment, event);
    for (let copy = 0; copy < copies; copy += 1) store.queueEvent({ id, account: payment.account, body, dueAt });
    alarm.wakeAt(dueAt);
  };
  alarm.wakeAt(store.nextEventAt());
  return {
    send(payment, { type, fault, dispute }) {
      if (fault === "webhook_lost") return Promise.resolve();
      if (fault === "webhook_out_of_order") {
        queue(payment, { type: "payment.created", delayMs: outOfOrderMs, copies: 1 });
      }
      queue(payment, { type, dispute, delayMs: delayOf(fault), copies: fault === "webhook_twice" ? 2 : 1 });
      const isAwaited = fault === "webhook_before_response";
      return isAwaited ? untilDelivered(store, payment.account, stop.signal) : Promise.resolve();
    },
    sendLater: (payment, type, delayMs) => queue(payment, { type, delayMs, copies: 1 }),
    flush() {
      const hastened = store.hastenEvents(Date.now());
      if (hastened > 0) alarm.wakeAt(Date.now());
      return hastened;
    },
    async close() {
      stop.abort();
      await alarm.stop();
    },
  };
};

type Queued = { type: string; dispute?: string | undefined; delayMs: number; copies: number };

const bodyOf = (id: string, payment: StoredPayment, { type, dispute }: Pick<Queued, "type" | "dispute">): string =>
  JSON.stringify({ id, type, account: payment.account, payment: payment.id, charge_id: payment.chargeId, dispute });

const delayOf = (fault: WebhookFault | null): number => {
  if (fault === "webhook_late") return lateMs;
  return fault === "webhook_before_response" ? 0 : usualMs;
};

/** Delivers the due events, and deletes old delivered ones from time to time. @returns when the next one is due. */
const deliverDue = (options: Options, stopped: AbortSignal) => {
  const { store } = options;
  let deletesAt = 0;
  return async (): Promise<number | null> => {
    while (!stopped.aborted) {
      const due = store.listDueEvents(Date.now(), maxConcurrent);
      if (due.length === 0) break;
      await Promise.all(due.map((event) => deliver(options, event, stopped)));
    }
    if (stopped.aborted) return null;
    if (Date.now() > deletesAt) {
      store.forgetDelivered(Date.now() - keepDeliveredMs);
      deletesAt = Date.now() + deleteEveryMs;
    }
    return store.nextEventAt();
  };
};

const deliver = async ({ url, key, store, log }: Options, event: DueEvent, stopped: AbortSignal): Promise<void> => {
  try {
    await post(url, {
      key,
      body: event.body,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(attemptTimeoutMs)]),
    });
    const now = Date.now();
    await store.soon(() => store.markDelivered(event, now));
  } catch (error) {
    if (stopped.aborted) return;
    log.debug({ event: event.id, err: error }, "webhook not delivered");
    const dueAt = Date.now() + 5_000 * 2 ** event.attempts;
    await store.soon(() =>
      event.attempts + 1 < maxAttempts ? store.postponeEvent(event, dueAt) : store.giveUpEvent(event),
    );
  }
};

/** @throws Error unless the receiver answers with a 2xx status. */
const post = async (
  url: string,
  { key, body, signal }: { key: string; body: string; signal: AbortSignal },
): Promise<void> => {
  const headers = {
    "content-type": "application/json",
    "user-agent": ownUserAgent,
    "simulator-signature": signWebhook(key, body, Date.now()),
  };
  const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`status ${response.status}`);
};

/** Waits until the account's events are delivered, at most 3 s: the caller of the payment also waits. */
const untilDelivered = async (store: Store, account: string, stopped: AbortSignal): Promise<void> => {
  for (let waited = 0; waited < 3_000 && !stopped.aborted; waited += 20) {
    if (!store.hasDueEvent(account, Date.now())) return;
    await sleep(20);
  }
};

export const noWebhooks: Webhooks = {
  send: async () => {},
  sendLater: () => {},
  flush: () => 0,
  close: async () => {},
};
