/** Where an operation is documented. */
export const operationHref = (operationId: string): string => `/docs/api/${operationId}`;

/** Where the fields of a type of authorization_details are documented. */
export const detailsTypeHref = (type: string): string => `${operationHref("authorizationDetailsTypes")}#${type}`;

/** Anchor of an area in the overview. */
export const areaId = (title: string): string => `area-${slugOf(title)}`;

export const slugOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
