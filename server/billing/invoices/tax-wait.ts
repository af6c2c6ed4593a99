/** How long drafts wait for tax details. The console counts those that wait for an operator. */
export { decidedUntil } from "../rules/documents/terms.ts";
