import type { Reader } from "../mandates/words.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { PartyLogo } from "../ui/party-logo.tsx";
import styles from "./consent-card.module.css";
import { amountLines, beginsAt, type ConsentRequest, endsAt, endWords, facts } from "./consent-lines.ts";
import { words } from "./consent-text.ts";
import { DecisionForm } from "./decision-form.tsx";
import { AmountRow, EndRow } from "./limit-row.tsx";
import { MethodChoice, type MethodOption } from "./method-choice.tsx";

export type ConsentProblem = { field: string | null; message: string };

/** The page that matters most: who asks, for what, within which limits, and what can be lowered (3-portal, Consent). */
export const ConsentCard = ({
  request,
  methods,
  reader,
  now,
  problem,
}: {
  request: ConsentRequest;
  methods: readonly MethodOption[];
  reader: Reader;
  now: Date;
  problem: ConsentProblem | null;
}) => {
  const { client } = request;
  const [firstMethod, ...otherMethods] = methods;
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
        <h1 id="ask">{words.title(client.name)}</h1>
        <p className={`muted small ${styles.intro}`}>{words.intro}</p>
        {request.mandates.map((mandate, index) => (
          <Mandate
            key={mandate.mandateId}
            index={index}
            count={request.mandates.length}
            mandate={mandate}
            clientName={client.name}
            reader={reader}
            now={now}
            problem={problem}
          />
        ))}
        {firstMethod ? (
          <MethodChoice methods={[firstMethod, ...otherMethods]} />
        ) : (
          <Notice tone="warn">
            You have no payment method yet, so this can’t be approved. Add one in your{" "}
            <a href="/wallet/payment-methods">wallet</a>, then open the request again.
          </Notice>
        )}
        <label className={`${styles.choice} ${styles.visible}`}>
          <input type="checkbox" name="budget_visible" />
          <span>
            {words.budget}
            <span className="tiny"> · {words.budgetNote}</span>
          </span>
        </label>
        <div className={styles.acts}>
          <SubmitButton name="decision" value="decline" isWide>
            Decline
          </SubmitButton>
          <SubmitButton name="decision" value="approve" variant="primary" isWide disabled={!firstMethod}>
            Approve
          </SubmitButton>
        </div>
      </section>
      <p className={`tiny ${styles.after}`}>{words.after(request.redirectHost)}</p>
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

const Mandate = ({
  index,
  count,
  mandate,
  clientName,
  reader,
  now,
  problem,
}: {
  index: number;
  count: number;
  mandate: ConsentRequest["mandates"][number];
  clientName: string;
  reader: Reader;
  now: Date;
  problem: ConsentProblem | null;
}) => {
  const { details, payees } = mandate;
  const errorOf = (field: string) => (problem?.field === field ? problem.message : null);
  const end = endWords(details, now, reader);
  const endField = `m${index}_valid_until`;
  const day = (at: Date) => at.toISOString().slice(0, 10);
  return (
    <section className={styles.mandate} aria-label={count > 1 ? `Mandate ${index + 1} of ${count}` : "Mandate"}>
      {count > 1 ? (
        <h2>
          {index + 1} of {count}
        </h2>
      ) : null}
      {details.purpose ? (
        <p className={styles.purpose}>
          <span className="tiny">In its own words</span>
          <br />
          <q>{details.purpose}</q>
        </p>
      ) : null}
      <div className={styles.limits}>
        {amountLines(details, index, now).map((line) => (
          <AmountRow
            key={line.field}
            {...line}
            currency={details.currency}
            locale={reader.locale}
            error={errorOf(line.field)}
          />
        ))}
        <EndRow
          field={endField}
          label="Ends"
          note={end.note}
          words={end.words}
          min={day(new Date(beginsAt(details, now).getTime() + 86_400_000))}
          max={day(endsAt(details, now))}
          error={errorOf(endField)}
        />
      </div>
      <ul className={styles.facts}>
        {facts(details, payees, clientName, now, reader).map((fact) => (
          <li key={fact.icon + String(fact.text[0])} className={fact.isWarning ? styles.warn : undefined}>
            <Icon name={fact.icon} />
            <span>
              {fact.text.map((part) => (typeof part === "string" ? part : <b key={part.strong}>{part.strong}</b>))}
            </span>
          </li>
        ))}
        <li>
          <Icon name="clock" />
          <span>{words.inFlight}</span>
        </li>
      </ul>
    </section>
  );
};
