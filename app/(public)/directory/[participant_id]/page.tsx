import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Connect } from "#components/directory/connect.tsx";
import styles from "#components/directory/directory.module.css";
import { statusLabels } from "#components/directory/directory-labels.ts";
import { ParticipantFacts } from "#components/directory/participant-facts.tsx";
import { ParticipantHealth } from "#components/directory/participant-health.tsx";
import { ParticipantHistory } from "#components/directory/participant-history.tsx";
import { ParticipantKeys } from "#components/directory/participant-keys.tsx";
import { rolesText, StatusPill } from "#components/directory/participant-list.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { PartyLogo } from "#components/ui/party-logo.tsx";
import type { Deps } from "#server/deps/deps.ts";
import { findPublicEntity } from "#server/directory/federation/find-public-entity.ts";
import { findHealth } from "#server/directory/health/find-health.ts";
import { listParticipantKeys } from "#server/directory/keys/find-keys.ts";
import { getParticipant, pageHistory } from "#server/directory/participants/find-participant.ts";
import type { Participant } from "#server/directory/participants/participant.wire.ts";
import { type Endpoint, endpointsIn, findEndpoints } from "#server/directory/servers/find-endpoints.ts";
import { isDomainError } from "#server/kernel/errors.ts";
import { serverParticipantId } from "#server/kernel/server-participant-id.ts";
import { isText } from "#server/kernel/text/text.ts";
import { serverEntry } from "#server/oauth/server-entry.ts";
import { serverMetadata } from "#server/oauth/server-metadata.ts";
import { pageDeps } from "../../../page-context.ts";
import { directoryPage, reader } from "../directory-context.ts";

type Props = { params: Promise<{ participant_id: string }>; searchParams: Promise<SearchParams> };

const versionsPerPage = 10;

const readParticipant = cache(async (id: string): Promise<Participant> => {
  const deps = await pageDeps();
  if (!isText(id)) notFound();
  try {
    return await getParticipant(deps, { id, server: () => serverEntry(deps) });
  } catch (error) {
    if (isDomainError(error) && error.kind === "not_found") notFound();
    throw error;
  }
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: (await readParticipant((await params).participant_id)).display_name,
});

/** None for a participant that isn't an authorization server. */
const endpointsOf = async (deps: Deps, participant: Participant): Promise<Endpoint[]> => {
  if (participant.issuer === null) return [];
  return participant.id === serverParticipantId ? endpointsIn(serverMetadata(deps)) : findEndpoints(deps, participant);
};

const meaningOf = ({ id, issuer, status }: Participant): string | undefined => {
  if (id === serverParticipantId) return "The operator of this directory runs this server.";
  return issuer !== null && status === "active"
    ? "The operator of this directory listed this server."
    : statusLabels[status]?.meaning;
};

const Head = ({ participant, base }: { participant: Participant; base: string }) => (
  <header className={styles.head}>
    <div>
      <p className="small">
        <a href={base}>Directory</a>
      </p>
      <div className={styles.identity}>
        <PartyLogo name={participant.display_name} />
        <h1>{participant.display_name}</h1>
        <StatusPill status={participant.status} />
      </div>
      <p className="muted small">
        {rolesText(participant.roles)}. {meaningOf(participant)}
      </p>
    </div>
  </header>
);

const ParticipantPage = async ({ params, searchParams }: Props) => {
  const { participant_id: id } = await params;
  const [{ deps, config, base, origin, now }, participant] = await Promise.all([directoryPage(), readParticipant(id)]);
  const { before } = await searchParams;
  const until = typeof before === "string" && /^[1-9]\d{0,8}$/.test(before) ? Number(before) : null;
  const [entity, keys, endpoints, { entries, older }] = await Promise.all([
    findPublicEntity(deps, participant),
    listParticipantKeys(deps, { participantId: id, withRetired: true }),
    endpointsOf(deps, participant),
    pageHistory(deps, { id, before: until, limit: versionsPerPage }),
  ]);
  return (
    <>
      <Head participant={participant} base={base} />
      <div className={styles.sections}>
        <ParticipantFacts participant={participant} entity={entity} now={now} reader={reader} />
        {participant.metadata_documents.length > 0 ? <Health participant={participant} /> : null}
        <section aria-labelledby="connect">
          <h2 id="connect">How to connect</h2>
          <Connect
            participant={participant}
            directory={config.discoveryUrl}
            endpoints={endpoints}
            docs={`${origin}/docs`}
          />
        </section>
        <section aria-labelledby="keys">
          <h2 id="keys">Keys</h2>
          <ParticipantKeys
            keys={keys.map(({ thumbprint, jwk, until: retired }) => ({
              thumbprint,
              algorithm: String(jwk["alg"] ?? jwk["crv"] ?? jwk["kty"]),
              retiredAt: retired?.toISOString() ?? null,
            }))}
            now={now}
            reader={reader}
          />
        </section>
        <section aria-labelledby="history">
          <h2 id="history">History</h2>
          <ParticipantHistory entries={entries} now={now} reader={reader} />
          <nav className={styles.pager} aria-label="Pages of the history">
            {until === null ? <span /> : <Versions href={`${base}/${id}#history`} text="Newest" />}
            {older === null ? null : <Versions href={`${base}/${id}?before=${older}#history`} text="Older" />}
          </nav>
        </section>
      </div>
    </>
  );
};

const Health = async ({ participant: { id, display_name: name } }: { participant: Participant }) => {
  const { deps, config, now } = await directoryPage();
  return (
    <section aria-labelledby="health">
      <h2 id="health">Health</h2>
      <ParticipantHealth
        health={await findHealth(deps, id)}
        name={name}
        metadataHref={`${config.discoveryUrl}/v1/participants/${id}/metadata`}
        now={now}
        reader={reader}
      />
    </section>
  );
};

const Versions = ({ href, text }: { href: string; text: string }) => (
  <a href={href} className={buttonClass({ size: "small" })}>
    {text}
  </a>
);

export default ParticipantPage;
