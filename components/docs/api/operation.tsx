import { Prose } from "../prose.tsx";
import { AnswerList } from "./answer-list.tsx";
import type { OperationView } from "./api-reference.ts";
import { Example } from "./example.tsx";
import { FieldList } from "./field-list.tsx";
import styles from "./operation.module.css";

/** One operation below the heading of its page: its request and its responses, each with an example. */
export const Operation = ({ operation }: { operation: OperationView }) => {
  const { id, method, path, description, limit, parameters, bodies } = operation;
  return (
    <article id={id} className={styles.operation}>
      <div className={styles.head}>
        <p className={styles.call}>
          <span className={styles.method}>{method}</span> {path}
        </p>
        <dl className={styles.about}>
          {description === null ? null : (
            <div>
              <dt>Standards</dt>
              <dd>{description}</dd>
            </div>
          )}
          <Caller operation={operation} />
          {limit === null ? null : (
            <div>
              <dt>Rate limit</dt>
              <dd>
                <a href="/docs/rate-limits">{limit}</a>
              </dd>
            </div>
          )}
        </dl>
      </div>
      <div className={styles.sides}>
        <div>
          {parameters.length > 0 ? (
            <section className={styles.part}>
              <h2>Parameters</h2>
              <FieldList fields={parameters} label="Parameters" />
            </section>
          ) : null}
          {bodies.map(({ mediaType, fields }) => (
            <section key={mediaType} className={styles.part}>
              <h2>
                Body <code>{mediaType}</code>
              </h2>
              <FieldList fields={fields} label="Members of the body" />
            </section>
          ))}
          {parameters.length + bodies.length === 0 ? <p className="small muted">Takes no parameters.</p> : null}
        </div>
        <Example label="Example of the request">{operation.example}</Example>
      </div>
      <AnswerList operation={operation} />
    </article>
  );
};

const Caller = ({ operation: { caller, scopes } }: { operation: OperationView }) => (
  <>
    <div>
      <dt>Caller</dt>
      <dd>{caller === null ? "anyone" : <Prose text={caller} />}</dd>
    </div>
    {scopes.length === 0 ? null : (
      <div>
        <dt>Scope</dt>
        <dd>
          <code>{scopes.join(" ")}</code>
        </dd>
      </div>
    )}
  </>
);
