import { z } from "zod";
import { type EventContract, eventContracts } from "#server/webhooks/event-contracts.ts";
import { fieldsOf, type Schema } from "./api-schema.ts";
import { FieldList } from "./field-list.tsx";
import styles from "./guide.module.css";
import operation from "./operation.module.css";
import { Prose } from "./prose.tsx";

/** Events of one kind of object have the same members, which are listed with the first of them. */
export const EventList = () => (
  <div>
    {eventContracts.map((contract, index) => (
      <Event
        key={contract.type}
        contract={contract}
        isFirst={nounOf(contract) !== (index === 0 ? "" : nounOf(eventContracts[index - 1]))}
      />
    ))}
  </div>
);

const nounOf = (contract: EventContract | undefined): string => contract?.type.split(".")[0] ?? "";

const hasOwnMembers = ({ type }: EventContract): boolean => type === "mandate.limit_approaching";

const Event = ({ contract, isFirst }: { contract: EventContract; isFirst: boolean }) => {
  const { type, when, recipients, example } = contract;
  return (
    <section id={type} className={styles.event} aria-labelledby={`${type}-title`}>
      <h2 id={`${type}-title`}>
        <a href={`#${type}`}>{type}</a>
      </h2>
      <p>
        <Prose text={when} />
      </p>
      <div className={operation.sides}>
        <div>
          {isFirst ? (
            <p className="small">
              Sent to: <Prose text={recipients} />
            </p>
          ) : null}
          {isFirst || hasOwnMembers(contract) ? (
            <FieldList fields={dataFields(contract)} label={`Members of data of ${type}`} />
          ) : (
            <p className="small muted">
              <code>data</code> as in <a href={`#${firstOf(contract)}`}>{firstOf(contract)}</a>
            </p>
          )}
        </div>
        <pre className={operation.example}>{JSON.stringify(example, null, 2)}</pre>
      </div>
    </section>
  );
};

const firstOf = (contract: EventContract): string =>
  eventContracts.find((each) => nounOf(each) === nounOf(contract))?.type ?? contract.type;

const dataFields = ({ schema }: EventContract) => {
  const whole = z.toJSONSchema(schema, { io: "input" }) as Schema;
  return fieldsOf(whole.properties?.["data"] ?? {}, () => ({}));
};
