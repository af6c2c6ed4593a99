import type { Answer } from "../http/answer.ts";
import type { CallOptions } from "../http/call-options.ts";
import { send } from "../http/send.ts";
import { assertionFields } from "../keys/client-assertion.ts";
import { observeNonce, signDpopProof } from "../keys/dpop.ts";
import type { Client } from "./client.ts";

export type FormFields = Readonly<Record<string, string | undefined>>;

type FormCall = {
  url: string;
  fields: FormFields;
  /** whether a DPoP proof is sent, if the client has a key for it */
  isProven: boolean;
};

const toEntries = (fields: FormFields): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));

/** Posts a form as this client, with a new assertion and a new proof for each attempt. */
export const postForm = (
  client: Client,
  { url, fields, isProven }: FormCall,
  options: CallOptions,
): Promise<Answer> => {
  const key = isProven ? client.dpopKey : null;
  const prepare = async () => ({
    method: "POST" as const,
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      ...(key ? { dpop: await signDpopProof(key, { method: "POST", url }) } : {}),
    },
    body: new URLSearchParams([...toEntries(fields), ...toEntries(await assertionFields(client))]).toString(),
  });
  // The form isn't sent again after a lost response, because the code may be consumed or the refresh token rotated.
  return send({ prepare, isRepeatable: false, observe: observeNonce(url) }, options);
};
