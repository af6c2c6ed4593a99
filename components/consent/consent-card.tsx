import type { ConsentDraft } from "#server/oauth/consent/consent-draft.ts";
import type { Reader } from "../format/reader.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { PartyLogo } from "../ui/party-logo.tsx";
import styles from "./consent-card.module.css";
import type { ConsentProblem, ConsentRequest } from "./consent-lines.ts";
import { words } from "./consent-text.ts";
import { DecisionForm } from "./decision-form.tsx";
import { MethodChoice, type MethodOption } from "./method-choice.tsx";
import { AskedMandate } from "./requested-mandate.tsx";

/**
 * The page that matters most: who asks, for what, within which limits, and what can be lowered (docs/spec/portal.md,
 * Consent).
 */
export const ConsentCard = ({
  request,
  methods,
  reader,
  now,
  draft,
  problem,
}: {
  request: ConsentRequest;
  methods: readonly MethodOption[];
  reader: Reader;
  now: Date;
  /** what the payer typed and chose before, where the decision was refused */
  draft: ConsentDraft | null;
  problem: ConsentProblem | null;
}) => {
  const { client, replaces } = request;
  const rights = words.rights(request);
  const isBudgetVisible = draft ? draft["budget_visible"] === "on" : (replaces?.budgetVisible ?? false);
  // What pays now stands first.
  const [firstMethod, ...otherMethods] = methods.toSorted(
    (left, right) => Number(right.id === replaces?.paymentMethodId) - Number(left.id === replaces?.paymentMethodId),
  );
  return (
    <DecisionForm action={`/consent/${request.handle}/decision`}>
      <input type="hidden" name="form_token" value={request.formToken} />
      <section className={`card ${styles.ask}`} aria-labelledby="ask">
        <Parties client={client} redirectHost={request.redirectHost} />
        {problem && !problem.field ? (
          <div className={styles.warning}>
            <Notice tone="bad" isLive>
              {problem.message}
            </Notice>
          </div>
        ) : null}
        <h1 id="ask">{words.title(request)}</h1>
        <p className={`muted small ${styles.intro}`}>{words.intro(request)}</p>
        {request.mandates.map((mandate, index) => (
          <AskedMandate
            key={mandate.mandateId}
            index={index}
            count={request.mandates.length}
            mandate={mandate}
            isNew={replaces !== null && mandate.current === null}
            clientName={client.name}
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
            <Notice tone="warn">{words.ends(terms, reader)}</Notice>
          </div>
        ))}
        {firstMethod ? (
          <MethodChoice methods={[firstMethod, ...otherMethods]} initial={draft?.["payment_method_id"] ?? null} />
        ) : (
          <Notice tone="warn">
            You have no payment method yet, so this can’t be approved. Add one in your{" "}
            <a href="/wallet/payment-methods" target="_blank" rel="noreferrer">
              wallet
            </a>{" "}
            (in a new tab), then reload this page.
          </Notice>
        )}
        <label className={`${styles.choice} ${styles.visible}`}>
          <input type="checkbox" name="budget_visible" defaultChecked={isBudgetVisible} />
          <span>
            {words.budget}
            <span className="tiny"> · {words.budgetNote}</span>
          </span>
        </label>
        <div className={styles.acts}>
          <SubmitButton name="decision" value="decline" variant="strong" isWide formNoValidate>
            Decline
          </SubmitButton>
          <SubmitButton name="decision" value="approve" variant="strong" isWide disabled={!firstMethod}>
            Approve
          </SubmitButton>
        </div>
      </section>
      <p className={`tiny ${styles.after}`}>{words.after(request)}</p>
    </DecisionForm>
  );
};

const Parties = ({ client, redirectHost }: { client: ConsentRequest["client"]; redirectHost: string }) => (
  <>
    <div className={styles.parties}>
      <PartyLogo name={client.name} isLarge />
      <div className={styles.party}>
        <h2>{client.name}</h2>
        {client.isVerified ? (
          <div className={styles.verified}>
            <Icon name="check" size={14} /> {client.domain ?? redirectHost}, verified
          </div>
        ) : (
          <div className={styles.unverified}>{client.domain ?? redirectHost}, not verified</div>
        )}
      </div>
    </div>
    {client.isVerified ? null : (
      <div className={styles.warning}>
        <Notice tone="warn">
          {words.unverified} <b>{redirectHost}</b>.
        </Notice>
      </div>
    )}
  </>
);
