import { type Field, fieldsOf } from "#components/docs/api/api-schema.ts";
import { authorizationDetailsTypes } from "#server/mandates/details/authorization-details-types.ts";

type DetailsTypeView = { type: string; description: string; fields: readonly Field[] };

/** The types of authorization_details, from the JSON Schemas that clients get. */
export const detailsTypes: readonly DetailsTypeView[] = Object.entries(authorizationDetailsTypes).map(
  ([type, { description, schema }]) => ({ type, description, fields: fieldsOf(schema, () => ({})) }),
);
