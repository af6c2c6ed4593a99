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

/** To one site, or by one mail server, at the same time: each is a connection of its own. */
const atOnce = 5;
/** Sites whose webhooks are told at the same time. */
const sitesAtOnce = 10;

type NotifierDeps = Pick<StatusDeps, "board" | "journal" | "clock" | "config" | "db" | "sealer" | "outbound" | "log">;
type Outcome = { problem: string | null; isFinal: boolean };
const sent: Outcome = { problem: null, isFinal: true };

/**
 * Mail and webhooks each have one, and each site's webhooks have a turn of their own: receivers that hang keep no mail
 * waiting, and nobody else's webhooks, however many of them there are. @param send null: mail stays in the outbox.
 */
type Lane = { kind: Subscriber["kind"]; send: MailSender | null };

/**
 * Tells the subscribers of one kind what is due. What became of each is in the journal before the next is begun: a crash
 * in between tells one again, under the same id.
 */
export const createNotifier = (deps: NotifierDeps, lane: Lane): Rounds => {
  const unrecorded = new Set<NoticeRecord>();
  let isStopped = false;

  const record = async (records: readonly NoticeRecord[]): Promise<void> => {
    if (records.length === 0) return;
    await deps.journal.append(records);
    for (const one of records) unrecorded.delete(one);
  };
  const tell = async (due: DueNotice): Promise<void> => {
    const notice = await notifySubscriber(deps, lane.send, due);
    unrecorded.add(notice);
    // What can't be recorded now is in the way of the next batch and of the next round.
    await record([notice]).catch(() => {});
  };
  const notifyInTurn = async (due: readonly DueNotice[], isOver: () => boolean): Promise<void> => {
    for (let index = 0; index < due.length && !isStopped && !isOver(); index += atOnce) {
      const batch = due.slice(index, index + atOnce).filter(({ subscriber }) => isSubscribed(deps, subscriber));
      await Promise.all(batch.map(tell));
      await record([...unrecorded]);
    }
  };
  return {
    async round() {
      await record([...unrecorded]);
      const due = dueNotices(deps.board(), deps.clock.now()).filter(({ subscriber }) => subscriber.kind === lane.kind);
      const bySite = [...Map.groupBy(due, ({ subscriber }) => siteOfSubscriber(deps, subscriber)).values()];
      // Those with little to be told come first: a site of very many addresses waits for them, and not they for it.
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
      // All of them have ended before the next round begins: it would tell anew what is still being told.
      const taken = await Promise.allSettled(Array.from({ length: sitesAtOnce }, () => takeTurns().catch(failing)));
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

/** What can't be opened fails by itself, in its own turn. */
const siteOfSubscriber = (deps: NotifierDeps, subscriber: Subscriber): string => {
  if (subscriber.kind === "email") return "";
  try {
    return siteOf(new URL(openAddress(deps, subscriber)).hostname);
  } catch {
    return subscriber.id;
  }
};

/** Found once for each list: it is asked before each notice. */
const idsOf = new WeakMap<readonly Subscriber[], ReadonlySet<string>>();

/** Whoever unsubscribes during a round is told no more. */
const isSubscribed = (deps: NotifierDeps, { id }: Subscriber): boolean => {
  const { subscribers } = deps.board();
  const ids = idsOf.get(subscribers) ?? new Set(subscribers.map((subscriber) => subscriber.id));
  idsOf.set(subscribers, ids);
  return ids.has(id);
};

const notifySubscriber = async (deps: NotifierDeps, send: MailSender | null, due: DueNotice): Promise<NoticeRecord> => {
  const { subscriber, update, attempts } = due;
  const { problem, isFinal } = await deliverNotice(deps, send, due).catch((error: unknown): Outcome => {
    deps.log.warn({ err: error, subscriberId: subscriber.id, updateId: update.id }, "a status notice failed");
    return { problem: "it could not be sent", isFinal: false };
  });
  const outcome = problem === null ? "sent" : isFinal || isLastAttempt(attempts) ? "given_up" : "failed";
  return {
    kind: "notice",
    id: newId("ntc"),
    subscriberId: subscriber.id,
    updateId: update.id,
    attempts,
    at: deps.clock.now(),
    outcome,
    problem,
  };
};

/** Rejects where the address can't be opened, as where nothing is sent for another reason. */
const deliverNotice = async (deps: NotifierDeps, send: MailSender | null, due: DueNotice): Promise<Outcome> => {
  const address = openAddress(deps, due.subscriber);
  return due.subscriber.kind === "email" ? mailNotice(deps, send, due, address) : postNotice(deps, due, address);
};

/** The same at each try. */
const noticeId = ({ subscriber, update }: DueNotice): string => `${update.id}.${subscriber.id}`;

const mailNotice = async (
  deps: NotifierDeps,
  send: MailSender | null,
  due: DueNotice,
  recipient: string,
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
  if (secretSealed === null) throw new Error("a webhook without its secret");
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

/** Every `everyMilliseconds`, one round of each kind at a time. @returns what stops it, when those sent now are recorded. */
export const startNotifier = (
  deps: NotifierDeps,
  {
    send,
    everyMilliseconds,
    trace = untraced,
  }: { send: MailSender | null; everyMilliseconds: number; trace?: TraceJob | undefined },
): (() => Promise<void>) => {
  const stops = (["email", "webhook"] as const).map((kind) => {
    const teller = createNotifier(deps, { kind, send });
    const round = () => trace(`notify-by-${kind}`, teller.round, (due) => due > 0);
    return startRounds(deps, { ...teller, round }, everyMilliseconds);
  });
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
};
