import type { Deps } from "../../deps/deps.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { signatureHeaders } from "../../webhooks/deliveries/sign-delivery.ts";
import type { SigningSecret } from "../../webhooks/endpoints/secrets.ts";

const timeoutMilliseconds = 5_000;
/** The response body isn't used. */
const maxBytes = 1024;

type Message = {
  /** the same for each attempt, so that receivers can drop duplicates */
  id: string;
  type: "status_subscription.test" | "status_update.published";
  data: JsonObject;
};

/** One attempt, signed by Standard Webhooks. @returns why it failed; null if it succeeded. */
export const postWebhook = async (
  { clock, outbound }: Pick<Deps, "clock" | "outbound">,
  { url, secret }: { url: string; secret: SigningSecret },
  { id, type, data }: Message,
): Promise<string | null> => {
  const at = clock.now();
  const body = JSON.stringify({ id, type, timestamp: at.toISOString(), data });
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "Paygrant-Webhooks",
    ...signatureHeaders([secret], { id, at, body }),
  };
  try {
    const answer = await outbound.request({
      url,
      method: "POST",
      headers,
      body,
      maxBytes,
      timeoutMilliseconds,
      isStartEnough: true,
    });
    return answer.status >= 200 && answer.status < 300 ? null : `answered ${answer.status}`;
  } catch (error) {
    if (error instanceof OutboundError) return error.problem;
    throw error;
  }
};
