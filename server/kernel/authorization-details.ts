import type { JsonObject } from "./text/json.ts";

/** A granted authorization_details object: a mandate's terms with the mandate's id as `identifier` (RFC 9396 §7). */
export type AuthorizationDetails = JsonObject & { readonly type: string; readonly identifier: string };
