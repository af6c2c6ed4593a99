import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import type { ConsentDraft } from "#server/oauth/consent/consent-draft.ts";
import { formatDate } from "../format/dates.ts";
import type { Reader } from "../format/reader.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { PartyLogo } from "../ui/party-logo.tsx";
import { type AddableMethods, AddMethod } from "./add-method.tsx";
import styles from "./consent-card.module.css";
import type { ConsentProblem, ConsentRequest } from "./consent-request.ts";
import { consentTexts } from "./consent-text.ts";
import { DecisionForm } from "./decision-form.tsx";
import { MethodChoice, type MethodOption } from "./method-choice.tsx";
import { RequestedMandateSection } from "./requested-mandate.tsx";

type Props = {
  request: ConsentRequest;
  methods: readonly MethodOption[];
  addable: AddableMethods;
  reader: Reader;
  now: Date;
  /** what the payer entered and chose before the decision was refused */
  draft: ConsentDraft | null;
  problem: ConsentProblem | null;
  /** when the account is deleted; null if no deletion is pending */
  deletedOn: Date | null;
};

/**
 * Shows who requests what within which limits, and lets the payer lower them (docs/spec/portal.md, Consent).
 */
export const ConsentCard = (props: Props) => {
  const { request, methods, problem, reader, deletedOn } = props;
  const t = translator(reader.locale, "consent");
  const texts = consentTexts(reader.locale);
  return (
    <DecisionForm action={`/consent/${request.handle}/decision`}>
      <input type="hidden" name="form_token" value={request.formToken} />
      <section {...cardLook(request.client.brand?.accentColor)} aria-labelledby="ask">
        <ClientHeader client={request.client} redirectHost={request.redirectHost} t={t} />
        {problem && !problem.field ? (
          <div className={styles.warning}>
            <Notice tone="bad" isLive>
              {problem.message}
            </Notice>
          </div>
        ) : null}
        {deletedOn ? (
          <div className={styles.warning}>
            <Notice tone="warn">
              {t("deletion", { date: formatDate(deletedOn, reader) })} <a href="/wallet/privacy">{t("keepAccount")}</a>
            </Notice>
          </div>
        ) : null}
        <h1 id="ask">{texts.title(request)}</h1>
        <p className={`small ${styles.payer}`}>
          {t.rich("onBehalfOf", { ...request.payer, b: (text) => <b>{text}</b> })}
        </p>
        <p className={`muted small ${styles.intro}`}>{texts.intro(request)}</p>
        <RequestedTerms {...props} />
        <PaymentChoices {...props} />
        <div className={styles.acts}>
          <SubmitButton name="decision" value="decline" variant="strong" isWide formNoValidate>
            {t("decline")}
          </SubmitButton>
          <SubmitButton name="decision" value="approve" variant="strong" isWide disabled={methods.length === 0}>
            {t("approve")}
          </SubmitButton>
        </div>
      </section>
      <p className={`tiny ${styles.after}`}>{texts.afterDecision(request)}</p>
    </DecisionForm>
  );
};

const cardLook = (accent: string | null | undefined) =>
  accent
    ? { className: `card ${styles.ask} ${styles.branded}`, style: { borderTopColor: accent } }
    : { className: `card ${styles.ask}` };

const ClientHeader = ({
  client,
  redirectHost,
  t,
}: Pick<ConsentRequest, "client" | "redirectHost"> & { t: Translator<"consent"> }) => (
  <>
    <div className={styles.parties}>
      <PartyLogo
        name={client.name}
        size="large"
        brand={client.brand}
        alt={client.brand?.logoUri ? t("logoOf", { name: client.name }) : ""}
      />
      <div className={styles.party}>
        <h2>{client.name}</h2>
        {client.isVerified ? (
          <div className={styles.verified}>
            <Icon name="check" size={14} /> {t("verified", { domain: client.domain ?? redirectHost })}
          </div>
        ) : (
          <div className={styles.unverified}>{t("notVerified", { domain: client.domain ?? redirectHost })}</div>
        )}
        {client.appName === client.name ? null : <div className="tiny">{t("app", { name: client.appName })}</div>}
      </div>
    </div>
    {client.isVerified ? null : (
      <div className={styles.warning}>
        <Notice tone="warn">{t.rich("unverified", { host: redirectHost, b: (text) => <b>{text}</b> })}</Notice>
      </div>
    )}
  </>
);

/** Shows the requested mandates, the other rights that the client requests, and the mandates that end. */
const RequestedTerms = ({ request, reader, now, draft, problem }: Props) => {
  const { mandates, replaces } = request;
  const texts = consentTexts(reader.locale);
  const rights = texts.rights(request);
  return (
    <>
      {mandates.map((mandate, index) => (
        <RequestedMandateSection
          key={mandate.mandateId}
          index={index}
          count={mandates.length}
          mandate={mandate}
          isNew={replaces !== null && mandate.current === null}
          purposeLabel={texts.purpose(request)}
          reader={reader}
          now={now}
          draft={draft}
          problem={problem}
        />
      ))}
      {rights ? (
        <ul className={styles.facts}>
          <li>
            <Icon name="info" />
            <span>{rights}</span>
          </li>
        </ul>
      ) : null}
      {replaces?.ends.map((terms) => (
        <div key={terms.mandateId} className={styles.ends}>
          <Notice tone="warn">{texts.endingMandate(terms, reader)}</Notice>
        </div>
      ))}
    </>
  );
};

/** Lets the payer choose the payment method, and whether merchants see what is left of the limits. */
const PaymentChoices = ({ request: { handle, replaces }, methods, addable, reader, draft }: Props) => {
  const t = translator(reader.locale, "consent");
  const isBudgetVisible = draft ? draft["budget_visible"] === "on" : (replaces?.budgetVisible ?? false);
  // The payment method of the replaced grant is listed first.
  const [firstMethod, ...otherMethods] = methods.toSorted(
    (left, right) => Number(right.id === replaces?.paymentMethodId) - Number(left.id === replaces?.paymentMethodId),
  );
  const add = <AddMethod handle={handle} addable={addable} locale={reader.locale} isNeeded={!firstMethod} />;
  return (
    <>
      {firstMethod ? (
        <MethodChoice methods={[firstMethod, ...otherMethods]} initial={draft?.["payment_method_id"] ?? null}>
          {add}
        </MethodChoice>
      ) : (
        add
      )}
      <label className={`${styles.choice} ${styles.visible}`}>
        <input type="checkbox" name="budget_visible" defaultChecked={isBudgetVisible} />
        <span>
          {t("budget")}
          <span className="tiny"> · {t("budgetNote")}</span>
        </span>
      </label>
    </>
  );
};
