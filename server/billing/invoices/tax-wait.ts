/** Used by the operator console to count drafts without tax details that wait for an operator's decision. */
export { decidedUntil } from "../rules/documents/terms.ts";
