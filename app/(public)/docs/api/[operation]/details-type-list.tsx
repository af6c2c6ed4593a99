import { FieldList } from "#components/docs/api/field-list.tsx";
import operation from "#components/docs/api/operation.module.css";
import { detailsTypes } from "../../details-types.ts";

/** The fields of each type of authorization_details. */
export const DetailsTypeList = () =>
  detailsTypes.map(({ type, description, fields }) => (
    <section key={type} id={type} className={operation.part} aria-labelledby={`${type}-title`}>
      <h2 id={`${type}-title`}>
        Fields of <code>{type}</code>
      </h2>
      <p className="small">{description}.</p>
      <FieldList fields={fields} label={`Fields of ${type}`} />
    </section>
  ));
