import type { Client } from "../clients/client.ts";
import { type FormFields, postForm } from "../clients/post-form.ts";
import type { CallOptions } from "../http/call-options.ts";
import { readJson } from "../http/get-json.ts";
import type { Members } from "../wire/members.ts";

/** A request to the token endpoint. */
export const requestToken = async (client: Client, fields: FormFields, options: CallOptions): Promise<Members> =>
  readJson(await postForm(client, { url: client.server.tokenEndpoint, fields, isProven: true }, options));
