import { newId } from "../../kernel/ids.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { sendMailNow } from "../../platform/mail/send-mail-now.ts";
import type { MailSender } from "../../platform/mail/smtp.ts";
import { siteOf } from "../../platform/outbound/outbound-url.ts";
import { type TraceJob, untraced } from "../../platform/tracing/trace-job.ts";
import type { Subscriber } from "../rules/board.ts";
import { componentName } from "../rules/components.ts";
import { updateUrl } from "../rules/feeds/public-updates.ts";
import type { NoticeRecord } from "../rules/journal/journal-record.ts";
import { type DueNotice, dueNotices, isLastAttempt } from "../rules/notices.ts";
import type { StatusDeps } from "../runtime.ts";
import { type Rounds, startRounds } from "../start-rounds.ts";
import { postWebhook } from "./post-webhook.ts";
import { openSubscriberSecret } from "./subscriber-secret.ts";
import { manageUrl, subscriberSealContext, unsubscribeUrl } from "./subscription-token.ts";

/** Concurrent deliveries to one site or by one mail server, each over its own connection. */
const perSite = 5;

/** Sites that get webhooks concurrently. */
const maxSites = 10;

type NotifierDeps = Pick<StatusDeps, "board" | "journal" | "clock" | "config" | "db" | "sealer" | "outbound" | "log">;
type Outcome = { problem: string | null; isFinal: boolean };
const sent: Outcome = { problem: null, isFinal: true };

/**
 * Mail and webhooks have separate lanes, and webhooks are grouped by site: slow receivers delay neither mail nor other
 * sites. `send` null: there is no mail server, and mail stays in the outbox.
 */
type Lane = { kind: Subscriber["kind"]; send: MailSender | null };

/**
 * Sends due notices to the subscribers of one kind. Each result is journalled before the next batch: a crash in between
 * repeats a delivery under the same id.
 */
export const createNotifier = (deps: NotifierDeps, lane: Lane): Rounds => {
  const unrecorded = new Set<NoticeRecord>();
  let isStopped = false;

  const record = async (records: readonly NoticeRecord[]): Promise<void> => {
    if (records.length === 0) return;
    await deps.journal.append(records);
    for (const one of records) unrecorded.delete(one);
  };
  const deliver = async (due: DueNotice): Promise<void> => {
    const notice = await notifySubscriber(deps, lane.send, due);
    unrecorded.add(notice);
    // If this fails, recording is tried again before the next batch and before the next round. There, a failure throws.
    await record([notice]).catch(() => {});
  };
  const notifyInTurn = async (due: readonly DueNotice[], isOver: () => boolean): Promise<void> => {
    for (let index = 0; index < due.length && !isStopped && !isOver(); index += perSite) {
      const batch = due.slice(index, index + perSite).filter(({ subscriber }) => isSubscribed(deps, subscriber));
      await Promise.all(batch.map(deliver));
      await record([...unrecorded]);
    }
  };
  return {
    async round() {
      await record([...unrecorded]);
      const due = dueNotices(deps.board(), deps.clock.now()).filter(({ subscriber }) => subscriber.kind === lane.kind);
      const bySite = [...Map.groupBy(due, ({ subscriber }) => siteOfSubscriber(deps, subscriber)).values()];
      // Sites with few notices first, so that they don't wait for a site with very many.
      const turns = bySite.toSorted((a, b) => a.length - b.length).values();
      let hasFailed = false;
      const takeTurns = async () => {
        for (const turn of turns) {
          await notifyInTurn(turn, () => hasFailed);
        }
      };
      const failing = (error: unknown) => {
        hasFailed = true;
        throw error;
      };
      // Wait for all of them, or the next round would repeat deliveries that are still running.
      const taken = await Promise.allSettled(Array.from({ length: maxSites }, () => takeTurns().catch(failing)));
      const failed = taken.find((one) => one.status === "rejected");
      if (failed) throw failed.reason;
      return due.length;
    },
    stop() {
      isStopped = true;
    },
  };
};

const openAddress = (deps: NotifierDeps, { id, addressSealed }: Subscriber): string =>
  deps.sealer.open(Buffer.from(addressSealed).toString(), subscriberSealContext(id, "address"));

/** A subscriber whose address can't be decrypted has a separate group, in which the delivery fails. */
const siteOfSubscriber = (deps: NotifierDeps, subscriber: Subscriber): string => {
  if (subscriber.kind === "email") return "";
  try {
    return siteOf(new URL(openAddress(deps, subscriber)).hostname);
  } catch {
    return subscriber.id;
  }
};

/** The ids of a list of subscribers, cached because they are needed before each notice. */
const idsOf = new WeakMap<readonly Subscriber[], ReadonlySet<string>>();

/** Subscribers who unsubscribe during a round get no further update. */
const isSubscribed = (deps: NotifierDeps, { id }: Subscriber): boolean => {
  const { subscribers } = deps.board();
  const ids = idsOf.get(subscribers) ?? new Set(subscribers.map((subscriber) => subscriber.id));
  idsOf.set(subscribers, ids);
  return ids.has(id);
};

const notifySubscriber = async (deps: NotifierDeps, send: MailSender | null, due: DueNotice): Promise<NoticeRecord> => {
  const { subscriber, update, attempts } = due;
  const { problem, isFinal } = await deliverNotice(deps, send, due).catch((error: unknown): Outcome => {
    deps.log.warn({ err: error, subscriberId: subscriber.id, updateId: update.id }, "status notice failed");
    return { problem: "could not be sent", isFinal: false };
  });
  const outcome = problem === null ? "sent" : isFinal || isLastAttempt(attempts) ? "given_up" : "failed";
  return {
    kind: "notice",
    id: newId("ntf"),
    subscriberId: subscriber.id,
    updateId: update.id,
    attempts,
    at: deps.clock.now(),
    outcome,
    problem,
  };
};

/** Rejects if the address can't be decrypted. */
const deliverNotice = async (deps: NotifierDeps, send: MailSender | null, due: DueNotice): Promise<Outcome> => {
  const address = openAddress(deps, due.subscriber);
  return due.subscriber.kind === "email"
    ? mailNotice(deps, due, { send, recipient: address })
    : postNotice(deps, due, address);
};

/** The id of a notice, which is the same for each attempt. */
const noticeId = ({ subscriber, update }: DueNotice): string => `${update.id}.${subscriber.id}`;

const mailNotice = async (
  deps: NotifierDeps,
  due: DueNotice,
  { send, recipient }: { send: MailSender | null; recipient: string },
): Promise<Outcome> => {
  const { id } = due.subscriber;
  const { about, stateName, text, at } = due.update;
  const content = {
    kind: "status_update",
    stateName,
    title: about.title,
    text,
    at,
    components: about.components.map(componentName),
    updateUrl: updateUrl(deps.config.statusUrl, due.update),
    manageUrl: manageUrl(deps, id),
  } as const;
  const mail = { recipient, content, unsubscribeUrl: unsubscribeUrl(deps, id) };
  if (send === null) {
    await queueMail(deps, deps.db.sql, { ...mail, requestId: newId("req") });
    return sent;
  }
  const outcome = await sendMailNow(deps, send, { ...mail, id: noticeId(due), createdAt: at });
  return outcome.kind === "sent" ? sent : outcome;
};

const postNotice = async (deps: NotifierDeps, due: DueNotice, url: string): Promise<Outcome> => {
  const { id, secretSealed } = due.subscriber;
  if (secretSealed === null) throw new Error("the webhook subscriber has no secret");
  const secret = openSubscriberSecret(deps, { id, secretSealed });
  const { update } = due;
  const data = {
    update_id: update.id,
    state: update.stateName.toLowerCase().replaceAll(" ", "_"),
    text: update.text,
    at: update.at.toISOString(),
    url: updateUrl(deps.config.statusUrl, update),
    about: { ...update.about, components: [...update.about.components] },
    manage_url: manageUrl(deps, id),
    unsubscribe_url: unsubscribeUrl(deps, id),
  };
  const problem = await postWebhook(
    deps,
    { url, secret },
    { id: noticeId(due), type: "status_update.published", data },
  );
  return { problem, isFinal: false };
};

/** Runs a round of each kind every `everyMilliseconds`. @returns a function that stops after the current deliveries. */
export const startNotifier = (
  deps: NotifierDeps,
  {
    send,
    everyMilliseconds,
    trace = untraced,
  }: { send: MailSender | null; everyMilliseconds: number; trace?: TraceJob | undefined },
): (() => Promise<void>) => {
  const stops = (["email", "webhook"] as const).map((kind) => {
    const notifier = createNotifier(deps, { kind, send });
    const round = () => trace(`notify-by-${kind}`, notifier.round, (due) => due > 0);
    return startRounds(deps, { ...notifier, round }, everyMilliseconds);
  });
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
};
