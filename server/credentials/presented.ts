import type { Config } from "../deps/config.ts";
import type { JsonObject } from "../kernel/text/json.ts";
import type { CredentialRefusal } from "./rules/credential-rule.ts";

export type { CredentialReasonCode } from "./rules/credential-rule.ts";

/** What a merchant presented to use a mandate: refused, or a mandate that its holder lets this merchant use. */
export type Presented =
  | {
      refusal: CredentialRefusal;
      /** the mandate that it was signed for; null where our signature doesn't hold */
      mandateId: string | null;
    }
  | {
      refusal: null;
      mandateId: string;
      /** of the mandate that the credential shows; null for a token, which is held to its own terms instead */
      version: number | null;
      token: MandateTokenUse | null;
      /** of the key that signed the credential; null for a token, which was asked about already */
      kid: string | null;
      /** names this one use: at most one charge is made with it */
      useHash: string;
      /** from then on it is refused by its age, and what is remembered of its use may go */
      usableUntil: Date;
    };

export type MandateTokenUse = {
  /** what is spent with this token is counted under it */
  spendId: string;
  /** payment_mandate_v1 as granted to the token, no wider than the mandate was when it was signed */
  details: JsonObject;
  isLive: boolean;
};

/** Issuer of the other environment, whose credentials are never valid here (docs/spec/oauth.md, Key separation). */
export const otherIssuer = (config: Config): string | null =>
  config.environment === "sandbox" ? config.productionUrl : config.sandboxUrl;
