import styles from "../guide.module.css";
import { Prose } from "../prose.tsx";
import type { Field } from "./api-schema.ts";
import { Example } from "./example.tsx";
import { FieldList } from "./field-list.tsx";
import operation from "./operation.module.css";

export type EventView = {
  type: string;
  when: string;
  recipients: string;
  /** members of `data`; null if they are the same as for the first event of this kind */
  fields: readonly Field[] | null;
  first: string;
  example: object;
};

/** An event with the same members as the first event of its kind has a link to that event instead of a list. */
export const EventList = ({ events }: { events: readonly EventView[] }) => (
  <div>
    {events.map((event) => (
      <Event key={event.type} event={event} />
    ))}
  </div>
);

const Event = ({ event: { type, when, recipients, fields, first, example } }: { event: EventView }) => (
  <section id={type} className={styles.event} aria-labelledby={`${type}-title`}>
    <h2 id={`${type}-title`}>
      <a href={`#${type}`}>{type}</a>
    </h2>
    <p>
      <Prose text={when} />
    </p>
    <div className={operation.sides}>
      <div>
        {type === first ? (
          <p className="small">
            Sent to: <Prose text={recipients} />
          </p>
        ) : null}
        {fields === null ? (
          <p className="small muted">
            <code>data</code> has the same members as in <a href={`#${first}`}>{first}</a>
          </p>
        ) : (
          <FieldList fields={fields} label={`Members of data of ${type}`} />
        )}
      </div>
      <Example label={`Example of ${type}`}>{JSON.stringify(example, null, 2)}</Example>
    </div>
  </section>
);
