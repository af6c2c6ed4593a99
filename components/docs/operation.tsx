import { AnswerList } from "./answer-list.tsx";
import type { OperationView } from "./api-reference.ts";
import { FieldList } from "./field-list.tsx";
import styles from "./operation.module.css";
import { Prose } from "./prose.tsx";

/** One operation: what it is, what it takes, what it answers, with an example of each beside it. */
export const Operation = ({ operation }: { operation: OperationView }) => {
  const { id, method, path, summary, description, limit, parameters, bodies } = operation;
  return (
    <article id={id} className={styles.operation} aria-labelledby={`${id}-title`}>
      <header className={styles.head}>
        <h3 id={`${id}-title`}>
          <a href={`#${id}`}>{summary}</a>
        </h3>
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
              <dt>Limit</dt>
              <dd>
                <a href="#rate-limits">{limit}</a>
              </dd>
            </div>
          )}
        </dl>
      </header>
      <div className={styles.sides}>
        <div>
          {parameters.length > 0 ? (
            <section className={styles.part}>
              <h4>Parameters</h4>
              <FieldList fields={parameters} label="Parameters" />
            </section>
          ) : null}
          {bodies.map(({ mediaType, fields }) => (
            <section key={mediaType} className={styles.part}>
              <h4>
                Body <code>{mediaType}</code>
              </h4>
              <FieldList fields={fields} label="Members of the body" />
            </section>
          ))}
          {parameters.length + bodies.length === 0 ? <p className="small muted">Takes no parameters.</p> : null}
        </div>
        <pre className={styles.example}>{operation.example}</pre>
      </div>
      <AnswerList operation={operation} />
    </article>
  );
};

const Caller = ({ operation: { caller, scopes } }: { operation: OperationView }) => (
  <>
    <div>
      <dt>Caller</dt>
      <dd>{caller === null ? "anybody" : <Prose text={caller} />}</dd>
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
