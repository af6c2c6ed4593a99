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

/** Of one worker at the same time. */
const maxUnderWay = 192;
/** Of one endpoint among them: one that answers late leaves room for the others. */
const maxPerEndpoint = 16;
/**
 * It is given more once so few of these are left: one that always has more to send, and never waits for all of it, would
 * leave no turn to the others.
 */
const refillAt = 4;
/** Seconds without a claim for an endpoint whose party has all that it may have under way. */
const restSeconds = 1;
/** Secrets that stay open, so that a busy endpoint's are not opened for each of its deliveries. */
const maxOpen = 1_000;
const timeoutMilliseconds = 15_000;
/** Longer than a try can take: whatever has no outcome then died with its worker. */
const claimSeconds = 60;
/** Of an answer's body: kept to be looked at. */
const bodyStartBytes = 1024;

export type WebhookSender = {
  /** Begins to send what is due. @returns how many deliveries. */
  begin(deps: Deps): Promise<number>;
  isSending(): boolean;
  /** Waits until one of those under way has ended. */
  oneEnded(): Promise<unknown>;
  /** Waits until none is under way. */
  allEnded(): Promise<unknown>;
};

/** Any number of senders may run: each delivery is claimed by one, and taken over once that one has died. */
export const createWebhookSender = (): WebhookSender => {
  const underWay = new Map<Promise<void>, string>();
  const restingUntil = new Map<string, Date>();
  const open = openerOf();
  return {
    async begin(deps) {
      const limit = maxUnderWay - underWay.size;
      if (limit === 0) return 0;
      const now = deps.clock.now();
      // A rest that ends later than any that begins now began before the clock stepped back.
      const latest = addSeconds(now, restSeconds);
      for (const [id, until] of restingUntil) if (until <= now || until > latest) restingUntil.delete(id);
      const held = countBy(underWay.values());
      const busyEndpoints = [...held].flatMap(([id, count]) => (count > refillAt ? [id] : []));
      busyEndpoints.push(...restingUntil.keys());
      // With the connection in hand: a try dated before it was waited for would seem to precede those that it came after.
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
        const rest = (until: Date) => restingUntil.set(delivery.endpointId, until);
        const event = eventOf.get(delivery.eventId);
        const sending = send(deps, { delivery, event, open: () => open(deps, own), rest })
          // The claim lapses, and the delivery is made again.
          .catch((err: unknown) => deps.log.error({ deliveryId: delivery.id, err }, "a webhook's try was not recorded"))
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
  /** no claim for this endpoint until then */
  rest: (until: Date) => void;
};

const send = async (deps: Deps, { delivery, event, open, rest }: Sending): Promise<void> => {
  if (!event) throw new Error("the event of a delivery is gone");
  // The very instant on record, so that whoever looks at the try can work out what it was signed over.
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
  rest(until);
  await giveBack(deps.db.sql, delivery, until);
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
    const { status, body } = answer;
    const retryAfter = parseRetryAfter(answer.headers["retry-after"], deps.clock.now());
    return { ...ended(), status, problem: null, bodyStart: textOf(body), retryAfter };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.problem === "busy") return "busy";
    return { ...ended(), status: null, problem: error.problem, bodyStart: null, retryAfter: null };
  }
};

/** PostgreSQL's text holds no NUL; what is no UTF-8 is replaced. */
const textOf = (body: Buffer): string => body.toString("utf8").replaceAll("\0", "\uFFFD");
