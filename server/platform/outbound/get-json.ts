import type { IncomingHttpHeaders } from "node:http";
import type { Outbound } from "../../deps/outbound.ts";
import { holdsText } from "../../kernel/text/text.ts";
import { OutboundError } from "./outbound.ts";

const limits = { maxBytes: 64 * 1024, timeoutMilliseconds: 5_000 } as const;

/** application/json, or a type with the suffix +json, such as application/jwk-set+json (RFC 6839 §3.1). */
const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * A JSON document of at most 64 KiB, within 5 s.
 * @throws OutboundError, also for any status except 200. Redirects aren't followed, because they lead to another URL.
 */
export const getJson = async (
  outbound: Outbound,
  url: string,
  { accept = "application/json", canWait = false } = {},
): Promise<{ value: unknown; headers: IncomingHttpHeaders }> => {
  const answer = await outbound.request({ ...limits, url, method: "GET", headers: { accept }, canWait });
  if (answer.status !== 200) throw new OutboundError("bad_answer", `the response's status is ${answer.status}`);
  if (!jsonType.test(answer.headers["content-type"] ?? "")) {
    throw new OutboundError("bad_answer", "the response's content type is not JSON");
  }
  const value = parse(answer.body);
  if (!holdsText(value))
    throw new OutboundError("bad_answer", "the response contains text with NUL or an unpaired surrogate");
  return { value, headers: answer.headers };
};

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new OutboundError("bad_answer", "the response is not JSON", { cause });
  }
};
