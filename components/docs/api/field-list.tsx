import { capitalize, toSentence } from "../../format/text.ts";
import { Prose } from "../prose.tsx";
import type { Field } from "./api-schema.ts";
import styles from "./field-list.module.css";
import { detailsTypeHref } from "./places.ts";

/** Members with their types. The members of an object are indented below it. */
export const FieldList = ({ fields, label }: { fields: readonly (Field & { place?: string })[]; label: string }) => (
  <ul className={styles.fields} aria-label={label}>
    {fields.map((field) => (
      <li key={`${field.place} ${field.name}`}>
        <p className={styles.head}>
          <code className={styles.name}>{field.name}</code>
          <span className={styles.type}>{field.type}</span>
          {field.isRequired ? <span className={styles.required}>required</span> : null}
          {field.place ? <span className={styles.type}>in {field.place}</span> : null}
        </p>
        <Remarks field={field} />
        {field.fields.length > 0 ? <FieldList fields={field.fields} label={`Members of ${field.name}`} /> : null}
      </li>
    ))}
  </ul>
);

const Remarks = ({ field: { name, description, limits, pattern } }: { field: Field }) => {
  const isDetails = name === "authorization_details";
  if (description === null && limits === null && pattern === null && !isDetails) return null;
  return (
    <p className={styles.remarks}>
      {description === null ? null : <Prose text={toSentence(description)} />}{" "}
      {limits === null ? null : toSentence(capitalize(limits))}
      {pattern === null ? null : (
        <>
          {" "}
          Matches <code>{pattern}</code>.
        </>
      )}
      {isDetails ? (
        <>
          {" "}
          See the <a href={detailsTypeHref("payment_mandate_v1")}>fields of payment_mandate_v1</a>.
        </>
      ) : null}
    </p>
  );
};
