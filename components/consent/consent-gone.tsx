import type { ConsentAnswer } from "#server/oauth/consent/consent-answer.ts";
import type { ConsentGone as Gone } from "#server/oauth/consent/find-consent.ts";
import { formatDateTime, formatTimeZone } from "../format/dates.ts";
import type { Reader } from "../format/reader.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import styles from "./consent-gone.module.css";

const startAgain = "Go back to the app that sent you here and start again.";

const texts = {
  approved: {
    title: "You approved this request",
    text: "The app can charge you within the limits that you approved. You can pause or stop it in your wallet at any time.",
  },
  declined: {
    title: "You declined this request",
    text: `Nothing was allowed. If you change your mind: ${startAgain.toLowerCase()}`,
  },
  completed: {
    title: "This request has been answered",
    text: "It was approved or declined already, perhaps in another tab. What you allow and what you stop is in your wallet.",
  },
  expired: {
    title: "This request has expired",
    text: `It stayed open for more than 15 minutes, so nothing was allowed. ${startAgain}`,
  },
  ended: {
    title: "This request has ended",
    text: "The app asked for a permission until a time that has passed, so it can’t be approved any more. Nothing was allowed.",
  },
  outdated: {
    title: "This request can’t be approved",
    text: "What it asks for has changed or ended since the app asked. Nothing was allowed.",
  },
  unknown: {
    title: "Request not found",
    text: `The address may be incomplete, or the request may be gone. ${startAgain}`,
  },
} as const;

const stateOf = ({ reason, answer, wayBack }: Gone): keyof typeof texts => {
  if (answer) return answer.decision === "approve" ? "approved" : "declined";
  return reason === "unknown" && wayBack ? "outdated" : reason;
};

export const goneTitle = (gone: Gone): string => texts[stateOf(gone)].title;

/** Instead of the question: why it can't be decided any more, or how it was, and where to go on. */
export const ConsentGone = ({ gone, reader }: { gone: Gone; reader: Reader | null }) => {
  const { answer } = gone;
  const { title, text } = texts[stateOf(gone)];
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
