import { translator } from "#server/kernel/messages/translator.ts";
import type { ConsentAnswer } from "#server/oauth/consent/consent-answer.ts";
import type { ConsentGone } from "#server/oauth/consent/load-consent-request.ts";
import { formatDateTime } from "../format/dates.ts";
import type { Reader } from "../format/reader.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import styles from "./closed-request.module.css";

type Closed = "approved" | "declined" | "completed" | "expired" | "ended" | "inactive_payee" | "outdated" | "unknown";

const reasonOf = ({ reason, answer, wayBack }: ConsentGone): Closed => {
  if (answer) return answer.decision === "approve" ? "approved" : "declined";
  return reason === "unknown" && wayBack ? "outdated" : reason;
};

export const closedRequestTitle = (gone: ConsentGone, locale: string): string =>
  translator(locale, "consent")(`closed.${reasonOf(gone)}.title`);

/** Shown if the payer can't decide the request. It says why, or what was decided earlier, and how to continue. */
export const ClosedRequest = ({
  gone,
  error,
  reader,
  locale,
}: {
  gone: ConsentGone;
  /** the URL's `error`: `consent_gone` if the payer sent the form after the request was decided, e.g. in another tab */
  error: unknown;
  /** null for a visitor; the time of the decision is then not shown */
  reader: Reader | null;
  locale: string;
}) => {
  const t = translator(locale, "consent");
  const { answer } = gone;
  const isTooLate = answer !== null && error === "consent_gone";
  const reason = reasonOf(gone);
  const back = answer?.location ? { location: answer.location, host: new URL(answer.location).host } : gone.wayBack;
  return (
    <EmptyState
      isPage
      title={t(`closed.${reason}.title`)}
      act={
        <div className={styles.acts}>
          {back ? (
            <ButtonLink variant="primary" href={back.location}>
              {t("closed.returnTo", { host: back.host })}
            </ButtonLink>
          ) : null}
          <ButtonLink href={walletPath(answer)}>
            {t(answer?.decision === "approve" ? "closed.seeApproved" : "closed.openWallet")}
          </ButtonLink>
        </div>
      }
    >
      {isTooLate ? <span className={styles.tooLate}>{t("closed.tooLate")}</span> : null}
      {t(`closed.${reason}.text`)}
      {answer && reader ? <span className={styles.when}>{formatDateTime(answer.decidedAt, reader)}</span> : null}
    </EmptyState>
  );
};

const walletPath = (answer: ConsentAnswer | null): string => {
  if (answer?.decision !== "approve") return "/wallet";
  const [mandateId, ...others] = answer.mandateIds;
  return mandateId && others.length === 0 ? `/wallet/mandates/${mandateId}` : "/wallet/mandates";
};
