import type { PublicEntity } from "#server/directory/federation/find-public-entity.ts";
import type { Participant } from "#server/directory/participants/participant.wire.ts";
import { serverParticipantId } from "#server/kernel/server-participant-id.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { formatCount } from "../format/text.ts";
import { Time } from "../format/time.tsx";
import { CopyId } from "../ui/copy/copy-id.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { environmentLabels, grantLabel } from "./directory-labels.ts";

/** If a participant supports more currencies, only their number is shown. */
const maxCurrencies = 12;

const currenciesText = (codes: readonly string[]): string =>
  codes.length > maxCurrencies ? `${codes.length} currencies` : codes.join(", ");

const yesOrNo = (value: boolean): string => (value ? "Yes" : "No");

const EntityFacts = ({ entity: { id, configurationUrl, trustAnchor } }: { entity: PublicEntity }) => (
  <>
    <Fact name="Federation entity">
      <CopyId label="federation entity" text={id} />
    </Fact>
    <Fact name="Entity configuration">
      <a href={configurationUrl} rel="nofollow noreferrer">
        {configurationUrl}
      </a>
    </Fact>
    <Fact name="Trust anchor">
      {trustAnchor ? <a href={trustAnchor.configurationUrl}>{trustAnchor.id}</a> : "None at the moment"}
    </Fact>
  </>
);

/** The directory doesn't verify domains of authorization servers. */
const noDomains = ({ id, issuer }: Participant): string => {
  if (id === serverParticipantId) return "The directory’s own server has no domains to verify.";
  return issuer === null
    ? "No domain is verified."
    : "The directory’s operator listed this server under its issuer URL. Its domains aren’t verified.";
};

type Props = { participant: Participant; entity: PublicEntity | null; now: Date; reader: Reader };

const Domains = ({ participant, now, reader }: Omit<Props, "entity">) => {
  const { verified_domains: domains } = participant;
  return (
    <section aria-labelledby="domains">
      <h2 id="domains">Verified domains</h2>
      {domains.length === 0 ? (
        <p className="muted small">{noDomains(participant)}</p>
      ) : (
        <Facts>
          {domains.map(({ domain, verified_at: at }) => (
            <Fact key={domain} name={domain}>
              Verified <Time at={at} now={now} reader={reader} isInSentence />
            </Fact>
          ))}
        </Facts>
      )}
    </section>
  );
};

/** Only the limits that are known. */
const LimitFacts = ({ limits, reader }: { limits: Participant["capabilities"]["limits"]; reader: Reader }) => {
  const { max_charge_amounts: amounts, authorization_details: details, client_rate_limit: rate } = limits;
  return (
    <>
      {amounts.length > 0 ? (
        <Fact name="Largest charge">
          {amounts.map(({ currency, amount }) => formatAmount(amount, currency, reader)).join(", ")}
        </Fact>
      ) : null}
      {details ? (
        <Fact name="Limits of authorization details">
          {details.max_items} in one request, amounts up to {formatCount(details.max_amount)} minor units
        </Fact>
      ) : null}
      {limits.request_uri_lifetime_seconds === null ? null : (
        <Fact name="Pushed requests expire after">{limits.request_uri_lifetime_seconds} seconds</Fact>
      )}
      {rate ? (
        <Fact name="Rate limit of a client">
          {formatCount(rate.requests)} requests in {rate.seconds} seconds
        </Fact>
      ) : null}
    </>
  );
};

/** The entry of a participant, with its verified domains and capabilities. */
export const ParticipantFacts = ({ participant, entity, now, reader }: Props) => {
  const { capabilities } = participant;
  return (
    <>
      <section aria-labelledby="overview">
        <h2 id="overview">Overview</h2>
        <Facts>
          <Fact name="ID">
            <CopyId label="ID" text={participant.id} />
          </Fact>
          {participant.legal_name ? <Fact name="Legal name">{participant.legal_name}</Fact> : null}
          {participant.merchant_id ? (
            <Fact name="Payee ID">
              <CopyId label="payee ID" text={participant.merchant_id} />
            </Fact>
          ) : null}
          <Fact name="Environment">{environmentLabels[participant.environment]}</Fact>
          {participant.website_uri ? (
            <Fact name="Website">
              <a href={participant.website_uri} rel="nofollow noreferrer">
                {participant.website_uri}
              </a>
            </Fact>
          ) : null}
          {participant.contacts.length > 0 ? <Fact name="Contacts">{participant.contacts.join(", ")}</Fact> : null}
          {entity ? <EntityFacts entity={entity} /> : null}
          <Fact name="Listed">
            <Time at={participant.created_at} now={now} reader={reader} />
          </Fact>
          <Fact name="Last change">
            <Time at={participant.updated_at} now={now} reader={reader} />
          </Fact>
        </Facts>
      </section>
      <Domains participant={participant} now={now} reader={reader} />
      <section aria-labelledby="capabilities">
        <h2 id="capabilities">Capabilities</h2>
        <Facts>
          <Fact name="Grant types">{capabilities.grant_types.map(grantLabel).join(", ") || "None"}</Fact>
          <Fact name="Pushed authorization requests">{yesOrNo(capabilities.pushed_authorization_requests)}</Fact>
          <Fact name="DPoP-bound access tokens">{yesOrNo(capabilities.dpop_bound_access_tokens)}</Fact>
          <Fact name="Authorization details">{capabilities.authorization_details_types.join(", ") || "None"}</Fact>
          <Fact name="Currencies">{currenciesText(capabilities.currencies) || "Not stated"}</Fact>
          <Fact name="Webhooks">{yesOrNo(capabilities.webhooks)}</Fact>
          <LimitFacts limits={capabilities.limits} reader={reader} />
        </Facts>
      </section>
    </>
  );
};
