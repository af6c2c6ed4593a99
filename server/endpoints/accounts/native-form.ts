import type { RawReply } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";

/** Whether the page's script sent the form. Without script, the browser expects a page. */
export const wantsJson = (headers: Pick<Headers, "get">): boolean =>
  (headers.get("accept") ?? "").includes("application/json");

/** To a page after a form was sent without script. @param path a page of ours */
export const backToForm = (path: string, query: Readonly<Record<string, string>>): RawReply => ({
  status: 303,
  headers: { location: `${path}?${new URLSearchParams(query)}`, ...noStore },
});
