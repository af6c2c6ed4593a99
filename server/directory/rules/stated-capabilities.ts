import type { Json, JsonObject } from "../../kernel/text/json.ts";

/** What the metadata of an authorization server says about it. In wire names, as it is stored. */
export type StatedCapabilities = {
  grant_types: string[];
  pushed_authorization_requests: boolean;
  dpop_bound_access_tokens: boolean;
  authorization_details_types: string[];
};

/** Limits, because other servers write the values, and each value becomes a filter of the list of participants. */
const maxNames = 50;
const nameForm = /^[!-~]{1,200}$/;

/** Sorted, each once. Values that filters can't name are left out. */
const namesIn = (value: Json | undefined): string[] =>
  Array.isArray(value)
    ? [...new Set(value.filter((one) => typeof one === "string" && nameForm.test(one)) as string[])]
        .toSorted()
        .slice(0, maxNames)
    : [];

/** RFC 8414 §2: the grant types of a server whose metadata doesn't name any. */
const defaultGrantTypes = ["authorization_code", "implicit"];

/** The capabilities in authorization server metadata (RFC 8414 §2, RFC 9126 §5, RFC 9449 §5.1, RFC 9396 §10). */
export const statedCapabilities = (metadata: JsonObject): StatedCapabilities => {
  const grantTypes = metadata["grant_types_supported"];
  return {
    grant_types: grantTypes === undefined ? defaultGrantTypes : namesIn(grantTypes),
    pushed_authorization_requests: typeof metadata["pushed_authorization_request_endpoint"] === "string",
    dpop_bound_access_tokens: namesIn(metadata["dpop_signing_alg_values_supported"]).length > 0,
    authorization_details_types: namesIn(metadata["authorization_details_types_supported"]),
  };
};
