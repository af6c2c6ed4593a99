import type { OwnEntityView } from "#server/trpc/merchant/directory/entry-federation-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Section } from "../../portal/page-head.tsx";
import portal from "../../portal/portal.module.css";
import { CopyId } from "../../ui/copy/copy-id.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { FederationForm } from "./federation-form.tsx";
import { RemoveEntity } from "./remove-entity.tsx";

const states: Readonly<Record<OwnEntityView["state"], { label: string; tone: Tone; meaning: string }>> = {
  subordinate: {
    label: "In the federation",
    tone: "good",
    meaning: "The directory confirms the entity. It fetches the configuration every hour.",
  },
  failing: {
    label: "Last fetch failed",
    tone: "warn",
    meaning:
      "The directory confirms the entity until its last verified configuration expires, or until 72 hours pass without a successful fetch.",
  },
  left: {
    label: "Left the federation",
    tone: "bad",
    meaning:
      "The last verified configuration has expired, or no fetch has succeeded for 72 hours. Publish a valid configuration. The directory fetches it every hour.",
  },
  inactive: {
    label: "Not in the federation",
    tone: "warn",
    meaning: "The entry must be active, and the entity’s host must be on a verified domain.",
  },
};

type Props = {
  merchantId: string;
  /** null: none is registered */
  entity: OwnEntityView | null;
  /** `mayRegister`: the entry is active */
  acts: { mayRegister: boolean } | null;
  now: Date;
  reader: Reader;
};

/** The federation entity of an entry, with its state and the form that registers it. */
export const FederationSection = ({ merchantId, entity, acts, now, reader }: Props) => (
  <Section title="Federation entity">
    {entity ? (
      <EntityCard merchantId={merchantId} entity={entity} mayRemove={acts !== null} now={now} reader={reader} />
    ) : (
      <EmptyState title="No federation entity yet">
        Register your OpenID Federation entity. The directory then confirms the entity as its subordinate. You need a
        verified domain.
      </EmptyState>
    )}
    {acts?.mayRegister ? <FederationForm merchantId={merchantId} entityId={entity?.entityId ?? null} /> : null}
  </Section>
);

const EntityCard = ({
  merchantId,
  entity,
  mayRemove,
  now,
  reader,
}: {
  merchantId: string;
  entity: OwnEntityView;
  mayRemove: boolean;
  now: Date;
  reader: Reader;
}) => {
  const { entityId, configurationUrl, state, keyCount, validUntil, fetchedAt, problem } = entity;
  const { label, tone, meaning } = states[state];
  return (
    <article className={`card ${portal.form} ${portal.box}`} aria-label={entityId}>
      <div className={portal.action}>
        <h3>{entityId}</h3>
        <Pill tone={tone}>{label}</Pill>
      </div>
      <p className="small muted">{meaning}</p>
      <Facts>
        <Fact name="Configuration">
          <CopyId label="address of the configuration" text={configurationUrl} />
        </Fact>
        <Fact name="Keys">{keyCount}</Fact>
        <Fact name="Last fetch">{fetchedAt ? <Time at={fetchedAt} now={now} reader={reader} /> : "Not known"}</Fact>
        {problem === null ? null : <Fact name="Problem">{problem}</Fact>}
        <Fact name={state === "left" ? "Verified until" : "Valid until"}>
          <Time at={validUntil} now={now} reader={reader} />
        </Fact>
      </Facts>
      {mayRemove ? (
        <div className={portal.acts}>
          <RemoveEntity merchantId={merchantId} entityId={entityId} />
        </div>
      ) : null}
    </article>
  );
};
