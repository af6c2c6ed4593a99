import { failureLevel } from "../../data/unavailable.ts";
import { type EventRow, findEvents } from "../../data/webhooks/event-outbox.ts";
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  claimWebhookDeliveries,
  giveBack,
} from "../../data/webhooks/webhook-attempts.ts";
import { listWebhookSecrets, type WebhookSecretRow } from "../../data/webhooks/webhook-secrets.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { openSecret, type SigningSecret } from "../endpoints/secrets.ts";
import { payloadOf } from "../rules/payload.ts";
import { parseRetryAfter } from "../rules/schedule.ts";
import { recordAttempt } from "./record-attempt.ts";
import { signatureHeaders } from "./sign-delivery.ts";

/** Maximum concurrent deliveries of one worker. */
const maxUnderWay = 192;
/** Maximum concurrent deliveries to one endpoint, so that a slow endpoint leaves slots for the others. */
const maxPerEndpoint = 16;
/**
 * An endpoint gets more deliveries only when at most this many of its deliveries are in progress. Otherwise an endpoint
 * with a constant backlog would starve the others.
 */
const refillAt = 4;
/** Seconds without a claim for an endpoint whose domain or IP address has reached its limit of concurrent requests. */
const restSeconds = 1;
/** Maximum number of cached decrypted secrets, so that a busy endpoint's secrets aren't decrypted for each delivery. */
const maxOpen = 1_000;
const timeoutMilliseconds = 15_000;
/** Longer than any attempt. An attempt without an outcome after this time was lost with its worker. */
const claimSeconds = 60;
/** Maximum size of the stored response body, for inspection. */
const bodyStartBytes = 1024;

export type WebhookSender = {
  /** Starts sending due deliveries. @returns the number of deliveries. */
  begin(deps: Deps): Promise<number>;
  isSending(): boolean;
  /** Waits until one delivery in progress has finished. */
  oneEnded(): Promise<unknown>;
  /** Waits until no delivery is in progress. */
  allEnded(): Promise<unknown>;
};

/** Any number of senders may run. One sender claims each delivery; if it crashes, another sender claims it. */
export const createWebhookSender = (): WebhookSender => {
  const underWay = new Map<Promise<void>, string>();
  const pausedUntil = new Map<string, Date>();
  const open = openerOf();
  return {
    async begin(deps) {
      const limit = maxUnderWay - underWay.size;
      if (limit === 0) return 0;
      const now = deps.clock.now();
      // If a pause ends later than a new pause would end, the pause was started before the clock stepped back.
      const latest = addSeconds(now, restSeconds);
      for (const [id, until] of pausedUntil) if (until <= now || until > latest) pausedUntil.delete(id);
      const held = countBy(underWay.values());
      const busyEndpoints = [...held].flatMap(([id, count]) => (count > refillAt ? [id] : []));
      busyEndpoints.push(...pausedUntil.keys());
      // The time is read after the connection was acquired. With an earlier time, the attempt could seem older than
      // attempts that preceded it.
      const claimed = await deps.db.sqlTransaction((sql) => {
        const startedAt = deps.clock.now();
        return claimWebhookDeliveries(sql, {
          now: startedAt,
          claimUntil: addSeconds(startedAt, claimSeconds),
          held,
          busyEndpoints,
          perEndpoint: maxPerEndpoint,
          limit,
        });
      });
      if (claimed.length === 0) return 0;
      const { sql } = deps.db;
      const [events, secrets] = await Promise.all([
        findEvents(
          sql,
          claimed.map(({ eventId, eventAt }) => ({ id: eventId, createdAt: eventAt })),
        ),
        listWebhookSecrets(sql, [...new Set(claimed.map(({ endpointId }) => endpointId))], now),
      ]);
      const eventOf = new Map(events.map((event) => [event.id, event]));
      for (const delivery of claimed) {
        const own = secrets.filter(({ endpointId }) => endpointId === delivery.endpointId);
        const pause = (until: Date) => pausedUntil.set(delivery.endpointId, until);
        const event = eventOf.get(delivery.eventId);
        const sending = send(deps, { delivery, event, open: () => open(deps, own), pause })
          // The claim expires, and the delivery is attempted again.
          .catch((err: unknown) =>
            deps.log[failureLevel(err)]({ deliveryId: delivery.id, err }, "webhook attempt not recorded"),
          )
          .finally(() => underWay.delete(sending));
        underWay.set(sending, delivery.endpointId);
      }
      return claimed.length;
    },
    isSending: () => underWay.size > 0,
    oneEnded: () => Promise.race(underWay.keys()),
    allEnded: () => Promise.all(underWay.keys()),
  };
};

const countBy = (endpointIds: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const id of endpointIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};

type Open = (deps: Deps, rows: readonly WebhookSecretRow[]) => SigningSecret[];

const openerOf = (): Open => {
  const opened = new Map<string, SigningSecret>();
  return (deps, rows) =>
    rows.map((row) => {
      const before = opened.get(row.sealed);
      if (before) return before;
      const secret = openSecret(deps, row);
      if (opened.size >= maxOpen) opened.delete(opened.keys().next().value ?? "");
      opened.set(row.sealed, secret);
      return secret;
    });
};

type Sending = {
  delivery: ClaimedDelivery;
  event: EventRow | undefined;
  open: () => SigningSecret[];
  /** stops claims for this endpoint until then */
  pause: (until: Date) => void;
};

const send = async (deps: Deps, { delivery, event, open, pause }: Sending): Promise<void> => {
  if (!event) throw new Error("the delivery's event is missing");
  // Signed with the recorded instant, so that the signed text of an attempt can be reconstructed.
  const { startedAt: at } = delivery;
  const body = payloadOf(event, delivery.ownerKind);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "Paygrant-Webhooks",
    ...signatureHeaders(open(), { id: event.id, at, body }),
  };
  const outcome = await post(deps, { url: delivery.url, headers, body });
  if (outcome !== "busy") return recordAttempt(deps, delivery, outcome);
  const until = addSeconds(deps.clock.now(), restSeconds);
  pause(until);
  await giveBack(deps.db.sql, delivery, until);
};

type Request = { url: string; headers: Record<string, string>; body: string };

/** @returns "busy" if nothing was sent because too many requests of this process or to this site are in progress. */
const post = async (deps: Deps, request: Request): Promise<AttemptOutcome | "busy"> => {
  const startedAt = performance.now();
  const ended = () => ({
    endedAt: deps.clock.now(),
    milliseconds: Math.round(performance.now() - startedAt),
  });
  try {
    const answer = await deps.webhookOutbound.request({
      ...request,
      method: "POST",
      maxBytes: bodyStartBytes,
      timeoutMilliseconds,
      isStartEnough: true,
    });
    const { status, body } = answer;
    const retryAfter = parseRetryAfter(answer.headers["retry-after"], deps.clock.now());
    return { ...ended(), status, problem: null, bodyStart: textOf(body), retryAfter };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.problem === "busy") return "busy";
    return { ...ended(), status: null, problem: error.problem, bodyStart: null, retryAfter: null };
  }
};

/** PostgreSQL text can't contain NUL. Invalid UTF-8 is replaced. */
const textOf = (body: Buffer): string => body.toString("utf8").replaceAll("\0", "\uFFFD");
