import { parseArgs } from "node:util";

export const usage =
  'npm run registration-token -- --merchant mch_… | --kind agent   [--uses 1] [--expires 24h] [--scope "charges.read …"]';

/** Null if the arguments name neither a merchant nor a kind. The command then lists the merchants. */
export type RegistrationTokenArguments = {
  kind: "agent" | "merchant";
  merchantId: string | null;
  uses: number;
  ttlSeconds: number;
  scopes?: string[];
} | null;

const secondsPer: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 24 * 3600 };

/** A duration (30m, 24h, 7d), or the time until an instant. */
const secondsOf = (text: string, now: Date): number => {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count) return Number(count) * (secondsPer[unit] ?? 0);
  const instant = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw new Error("--expires: must be a duration (30m, 24h, 7d) or an RFC 3339 time");
  return Math.floor((instant - now.getTime()) / 1000);
};

/** @throws Error that names the invalid argument. The verb checks the ranges of numbers. */
export const readRegistrationTokenArguments = (args: readonly string[], now: Date): RegistrationTokenArguments => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kind: { type: "string" },
      merchant: { type: "string" },
      agent: { type: "boolean", default: false },
      uses: { type: "string", default: "1" },
      expires: { type: "string", default: "24h" },
      scope: { type: "string" },
    },
  });
  const kind = values.kind ?? (values.agent ? "agent" : values.merchant === undefined ? null : "merchant");
  if (kind === null) return null;
  if (kind !== "agent" && kind !== "merchant") throw new Error("--kind: must be agent or merchant");
  if (kind === "agent" && values.merchant !== undefined)
    throw new Error("--merchant: a token for an agent can't name a merchant");
  if (kind === "merchant" && values.merchant === undefined)
    throw new Error("--merchant: name the merchant that owns the client");
  if (!/^\d{1,6}$/.test(values.uses)) throw new Error("--uses: must be a number");
  return {
    kind,
    merchantId: values.merchant ?? null,
    uses: Number(values.uses),
    ttlSeconds: secondsOf(values.expires, now),
    ...(values.scope === undefined ? {} : { scopes: values.scope.split(" ").filter((scope) => scope !== "") }),
  };
};
