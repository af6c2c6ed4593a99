import type { ConsentAnswer } from "#server/oauth/consent/consent-answer.ts";
import type { ConsentGone } from "#server/oauth/consent/load-consent-request.ts";
import { formatDateTime, formatTimeZone } from "../format/dates.ts";
import type { Reader } from "../format/reader.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import styles from "./closed-request.module.css";

const texts = {
  approved: {
    title: "You approved this request",
    text: "The app can charge you within the limits that you approved. You can pause or stop it in your wallet at any time.",
  },
  declined: {
    title: "You declined this request",
    text: "Nothing was allowed. If you change your mind, go back to the app that sent you here and start again.",
  },
  completed: {
    title: "This request has been answered",
    text: "It was already approved or declined, perhaps in another tab. Your wallet shows what you allow.",
  },
  expired: {
    title: "This request has expired",
    text: "It was open for more than 15 minutes, so nothing was allowed. Go back to the app that sent you here and start again.",
  },
  ended: {
    title: "This request has ended",
    text: "The end date that the app requested has passed, so the request can’t be approved. Nothing was allowed.",
  },
  outdated: {
    title: "This request can’t be approved",
    text: "The app wants to change a mandate that was changed or has ended in the meantime. Nothing was approved.",
  },
  unknown: {
    title: "Request not found",
    text: "The address may be incomplete, or the request no longer exists. Go back to the app that sent you here and start again.",
  },
} as const;

const textOf = ({ reason, answer, wayBack }: ConsentGone): { title: string; text: string } => {
  if (answer) return answer.decision === "approve" ? texts.approved : texts.declined;
  return reason === "unknown" && wayBack ? texts.outdated : texts[reason];
};

export const closedRequestTitle = (gone: ConsentGone): string => textOf(gone).title;

/** Shown for a request that can't be decided: why, or what was decided, and how to continue. */
export const ClosedRequest = ({ gone, reader }: { gone: ConsentGone; reader: Reader | null }) => {
  const { answer } = gone;
  const { title, text } = textOf(gone);
  const back = answer?.location ? { location: answer.location, host: new URL(answer.location).host } : gone.wayBack;
  return (
    <EmptyState
      isPage
      title={title}
      act={
        <div className={styles.acts}>
          {back ? (
            <ButtonLink variant="primary" href={back.location} prefetch={false}>
              Return to {back.host}
            </ButtonLink>
          ) : null}
          <ButtonLink href={walletPath(answer)} prefetch={false}>
            {answer?.decision === "approve" ? "See what you approved" : "Open my wallet"}
          </ButtonLink>
        </div>
      }
    >
      {text}
      {answer && reader ? (
        <span className={styles.when}>
          {formatDateTime(answer.decidedAt, reader)}, {formatTimeZone(reader.timeZone)}
        </span>
      ) : null}
    </EmptyState>
  );
};

const walletPath = (answer: ConsentAnswer | null): string => {
  if (answer?.decision !== "approve") return "/wallet";
  const [mandateId, ...others] = answer.mandateIds;
  return mandateId && others.length === 0 ? `/wallet/mandates/${mandateId}` : "/wallet/mandates";
};
