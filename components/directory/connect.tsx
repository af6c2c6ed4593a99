import type { Participant } from "#server/directory/participants/participant.wire.ts";
import { CodeBlock } from "../ui/copy/code-block.tsx";
import { Fact, Facts } from "../ui/facts.tsx";

type Endpoint = { name: string; address: string };

const Address = ({ name, address }: Endpoint) => (
  <Fact name={name}>
    <code>{address}</code>
  </Fact>
);

/** An address that a participant chose, as one word of a shell command. Inside single quotes, only a quote is special. */
export const quoted = (address: string): string => `'${address.replaceAll("'", "%27")}'`;

const payeeText = (merchantId: string): string => JSON.stringify({ payees: [{ id: merchantId }] }, null, 2);

/**
 * The URLs of a participant, with commands to copy. @param directory DISCOVERY_URL. @param endpoints of an
 * authorization server; otherwise empty. @param docs URL of the documentation
 */
export const Connect = ({
  participant,
  directory,
  endpoints,
  docs,
}: {
  participant: Participant;
  directory: string;
  endpoints: readonly Endpoint[];
  docs: string;
}) => {
  const entry = `${directory}/v1/participants/${participant.id}`;
  const [metadata] = participant.metadata_documents;
  return (
    <>
      {endpoints.length > 0 ? (
        <Facts>
          {endpoints.map((endpoint) => (
            <Address key={endpoint.name} {...endpoint} />
          ))}
        </Facts>
      ) : null}
      {metadata ? <CodeBlock title="Read the metadata" code={`curl -s ${quoted(metadata)}`} /> : null}
      {participant.merchant_id ? (
        <>
          <p className="small muted">
            To request a mandate for this merchant, include its ID in the <code>payees</code> of the authorization
            details. See <a href={`${docs}/api/authorizationDetailsTypes`}>payment_mandate_v1</a>.
          </p>
          <CodeBlock title="Payees of a mandate" code={payeeText(participant.merchant_id)} />
        </>
      ) : null}
      <CodeBlock title="Read the signed entry" code={`curl -s -H "Accept: application/jwt" ${entry}`} />
      <CodeBlock title="Read the keys" code={`curl -s ${entry}/jwks`} />
    </>
  );
};
