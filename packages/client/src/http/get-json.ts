import { RequestError } from "../errors/errors.ts";
import { type Members, parseMembers } from "../wire/members.ts";
import type { Answer } from "./answer.ts";
import type { CallOptions } from "./call-options.ts";
import { send } from "./send.ts";

/** @throws RequestError invalid_response if the body isn't a JSON object. */
export const readJson = ({ text, status }: Answer): Members => {
  const members = parseMembers(text);
  if (members === null)
    throw new RequestError("invalid_response", `The response with status ${status} isn't a JSON object.`);
  return members;
};

/** A public document, without credentials. */
export const getText = async (url: string, accept: string, options: CallOptions): Promise<string> => {
  const outgoing = { method: "GET", url, headers: { accept } } as const;
  return (await send({ prepare: async () => outgoing, isRepeatable: true }, options)).text;
};

export const getJson = async (url: string, options: CallOptions): Promise<Members> =>
  readJson({ status: 200, headers: new Headers(), text: await getText(url, "application/json", options) });
