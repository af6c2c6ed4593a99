import { createHmac, timingSafeEqual } from "node:crypto";

/** Maximum age of a signed webhook: an older one may be a replay. */
const toleranceSeconds = 300;

const digest = (key: string, at: string, body: string): Buffer =>
  createHmac("sha256", key).update(`${at}.${body}`).digest();

/** @returns the header `simulator-signature` for the exact body. */
export const signWebhook = (key: string, body: string, nowMs: number): string => {
  const at = String(Math.floor(nowMs / 1000));
  return `t=${at},v1=${digest(key, at, body).toString("hex")}`;
};

export const isSignedWebhook = (
  key: string,
  header: string | null,
  { body, nowMs }: { body: string; nowMs: number },
): boolean => {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? "");
  if (!match?.[1] || !match[2]) return false;
  if (Math.abs(nowMs / 1000 - Number(match[1])) > toleranceSeconds) return false;
  return timingSafeEqual(digest(key, match[1], body), Buffer.from(match[2], "hex"));
};
