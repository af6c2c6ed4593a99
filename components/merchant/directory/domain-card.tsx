import type { MerchantDomainView } from "#server/trpc/merchant/directory/directory-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import portal from "../../portal/portal.module.css";
import { CodeBlock } from "../../ui/copy/code-block.tsx";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { DomainActs } from "./domain-acts.tsx";
import styles from "./domain-card.module.css";

type Props = {
  merchantId: string;
  view: MerchantDomainView;
  /** null: the reader can't change the entry, or it is suspended */
  acts: { mayCheck: boolean } | null;
  now: Date;
  reader: Reader;
};

const states: Readonly<Record<MerchantDomainView["state"], { label: string; tone: Tone; meaning: string }>> = {
  unverified: { label: "Unverified", tone: "neutral", meaning: "Publish one of the proofs, then check the domain." },
  verified: { label: "Verified", tone: "good", meaning: "Keep the proof published. It is checked every day." },
  failing: {
    label: "Check failed",
    tone: "warn",
    meaning:
      "The last daily check did not find the proof. After three failed checks in a row and 72 hours without a proof, the domain becomes unverified.",
  },
  demoted: {
    label: "No longer verified",
    tone: "bad",
    meaning: "The daily checks no longer find the proof. Publish it again, then check the domain.",
  },
};

/** A claimed domain with its state, its checks and what to publish. */
export const DomainCard = ({ merchantId, view, acts, now, reader }: Props) => {
  const { domain, state, proof, checkedAt, verifiedAt, unverifiedAt, nextCheckAt } = view;
  const { label, tone, meaning } = states[state];
  const times = [
    ["Verified", verifiedAt],
    ["Verification ended", unverifiedAt],
    ["Last check", checkedAt],
    ["Next check", nextCheckAt],
  ] as const;
  const known = times.filter(([, at]) => at !== null);
  return (
    <article className={`card ${portal.form} ${portal.box}`} aria-label={domain}>
      <div className={portal.action}>
        <h3 className={styles.name}>{domain}</h3>
        <Pill tone={tone}>{label}</Pill>
      </div>
      <p className="small muted">{meaning}</p>
      {known.length > 0 ? (
        <dl className={styles.times}>
          {known.map(([name, at]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Time at={at ?? ""} now={now} reader={reader} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <details open={state !== "verified"} className={styles.proofs}>
        <summary className="small">How to verify this domain</summary>
        <ProofChoices domain={domain} proof={proof} />
      </details>
      {acts ? (
        <DomainActs
          merchantId={merchantId}
          domain={domain}
          isVerified={verifiedAt !== null}
          mayCheck={acts.mayCheck && state !== "verified"}
        />
      ) : null}
    </article>
  );
};

type Choices = Pick<MerchantDomainView, "domain" | "proof">;

const ProofChoices = ({ domain, proof: { url, document, recordName, recordValue } }: Choices) => (
  <div className={portal.form}>
    <p className="small muted">Publish one of the two: a file or a DNS record.</p>
    <section className={portal.copies}>
      <h4 className="small">A file at this address</h4>
      <CopyText label={`address of the file for ${domain}`} text={url} />
      <CodeBlock
        title="paygrant-participants.json"
        label={`paygrant-participants.json for ${domain}`}
        code={document}
      />
      <p className="tiny">The JSON object may also contain proofs of other participants. Redirects aren’t followed.</p>
    </section>
    <section className={portal.copies}>
      <h4 className="small">Or a DNS record of type TXT</h4>
      <p className="tiny">Name</p>
      <CopyText label={`name of the record for ${domain}`} text={recordName} />
      <p className="tiny">Value</p>
      <CopyText label={`value of the record for ${domain}`} text={recordValue} />
    </section>
  </div>
);
