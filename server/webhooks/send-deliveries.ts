import { findEvent } from "../data/event-outbox.ts";
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  claimWebhookDeliveries,
  giveBack,
} from "../data/webhook-attempts.ts";
import { listWebhookSecrets } from "../data/webhook-secrets.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { OutboundError } from "../outbound/outbound.ts";
import { recordAttempt } from "./record-attempt.ts";
import { payloadOf } from "./rules/payload.ts";
import { openSecret } from "./secrets.ts";
import { signatureHeaders } from "./sign-delivery.ts";

/** Of one worker at the same time. */
const maxUnderWay = 48;
/** Of one endpoint among them: one that answers late leaves room for the others. */
const maxPerEndpoint = 4;
const timeoutMilliseconds = 15_000;
/** Longer than a try can take: whatever has no outcome then died with its worker. */
const claimSeconds = 60;
/** Of an answer's body: kept to be looked at. */
const bodyStartBytes = 1024;

export type WebhookSender = {
  /** Begins to send what is due. @returns how many deliveries. */
  begin(deps: Deps): Promise<number>;
  /** Waits until one of those under way has ended. */
  oneEnded(): Promise<unknown>;
  /** Waits until none is under way. */
  allEnded(): Promise<unknown>;
};

/** Any number of senders may run: each delivery is claimed by one, and taken over once that one has died. */
export const createWebhookSender = (): WebhookSender => {
  const underWay = new Map<Promise<void>, string>();
  return {
    async begin(deps) {
      const limit = maxUnderWay - underWay.size;
      if (limit === 0) return 0;
      const now = deps.clock.now();
      const claimed = await claimWebhookDeliveries(deps.db.sql, {
        now,
        claimUntil: addSeconds(now, claimSeconds),
        busyEndpoints: [...new Set(underWay.values())],
        perEndpoint: maxPerEndpoint,
        limit,
      });
      for (const delivery of claimed) {
        const sending = send(deps, delivery)
          // The claim lapses, and the delivery is made again.
          .catch((err: unknown) => deps.log.error({ deliveryId: delivery.id, err }, "a webhook's try was not recorded"))
          .finally(() => underWay.delete(sending));
        underWay.set(sending, delivery.endpointId);
      }
      return claimed.length;
    },
    oneEnded: () => Promise.race(underWay.keys()),
    allEnded: () => Promise.all(underWay.keys()),
  };
};

const send = async (deps: Deps, delivery: ClaimedDelivery): Promise<void> => {
  const { sql } = deps.db;
  const event = await findEvent(sql, { id: delivery.eventId, createdAt: delivery.eventAt });
  if (!event) throw new Error("the event of a delivery is gone");
  // The very instant on record, so that whoever looks at the try can work out what it was signed over.
  const { startedAt: at } = delivery;
  const secrets = await listWebhookSecrets(sql, [delivery.endpointId], at);
  const body = payloadOf(event, delivery.ownerKind);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "Paygrant-Webhooks",
    ...signatureHeaders(
      secrets.map((row) => openSecret(deps, row)),
      { id: event.id, at, body },
    ),
  };
  const outcome = await post(deps, { url: delivery.url, headers, body });
  if (outcome === "busy") await giveBack(sql, delivery, addSeconds(deps.clock.now(), 1));
  else await recordAttempt(deps, delivery, outcome);
};

type Request = { url: string; headers: Record<string, string>; body: string };

/** @returns "busy" where nothing was sent, since too much is under way in this process. */
const post = async (deps: Deps, request: Request): Promise<AttemptOutcome | "busy"> => {
  const startedAt = performance.now();
  const ended = () => ({
    endedAt: deps.clock.now(),
    milliseconds: Math.round(performance.now() - startedAt),
  });
  try {
    const answer = await deps.outbound.request({
      ...request,
      method: "POST",
      maxBytes: bodyStartBytes,
      timeoutMilliseconds,
      isStartEnough: true,
    });
    return { ...ended(), status: answer.status, problem: null, bodyStart: textOf(answer.body) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.problem === "busy") return "busy";
    return { ...ended(), status: null, problem: error.problem, bodyStart: null };
  }
};

/** PostgreSQL's text holds no NUL; what is no UTF-8 is replaced. */
const textOf = (body: Buffer): string => body.toString("utf8").replaceAll("\0", "\uFFFD");
