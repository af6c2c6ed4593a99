import { Prose } from "../prose.tsx";
import styles from "./answer-list.module.css";
import type { AnswerView, OperationView } from "./api-reference.ts";
import { Example } from "./example.tsx";
import { FieldList } from "./field-list.tsx";
import shared from "./operation.module.css";

/** The responses of an operation by status; members and examples open on demand. */
export const AnswerList = ({ operation: { answers, isProblem } }: { operation: OperationView }) => (
  <div className={shared.part}>
    <h2>Responses</h2>
    <div className={styles.answers}>
      {answers.map((answer) => (
        <details key={answer.status} className={styles.answer}>
          <summary>
            <span className={toneOf(answer.status)}>{answer.status ?? "Error"}</span>
            <span>
              <Prose text={answer.description} />
            </span>
          </summary>
          <div className={`${shared.sides} ${styles.inside}`}>
            <div>
              <Codes answer={answer} isProblem={isProblem} />
              <Headers answer={answer} />
              {answer.bodies.map(({ mediaType, fields }) => (
                <div key={mediaType} className={shared.part}>
                  <h3>
                    Body <code>{mediaType}</code>
                  </h3>
                  {fields.length > 0 ? <FieldList fields={fields} label={`Members of ${mediaType}`} /> : null}
                </div>
              ))}
            </div>
            <div>
              {answer.bodies.map(({ mediaType, example }) =>
                example === null ? null : (
                  <Example key={mediaType} label={`Example of ${answer.status ?? "an error"}, ${mediaType}`}>
                    {example}
                  </Example>
                ),
              )}
            </div>
          </div>
        </details>
      ))}
    </div>
  </div>
);

const toneOf = (status: string | null): string | undefined =>
  status !== null && Number(status) < 400 ? styles.good : styles.bad;

/** Each problem code has an anchor on the errors page. */
const Codes = ({ answer: { codes }, isProblem }: { answer: AnswerView; isProblem: boolean }) =>
  codes.length === 0 ? null : (
    <div className={shared.part}>
      <h3>Codes</h3>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{isProblem ? <a href={`/docs/errors#${code}`}>{code}</a> : code}</code>
          </li>
        ))}
      </ul>
    </div>
  );

const Headers = ({ answer: { headers } }: { answer: AnswerView }) =>
  headers.length === 0 ? null : (
    <div className={shared.part}>
      <h3>Headers</h3>
      <dl className={styles.headers}>
        {headers.map(({ name, description }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Prose text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
