import type { Config } from "../deps/config.ts";
import type { JsonObject } from "../kernel/text/json.ts";
import type { CredentialRefusal } from "./rules/credential-rule.ts";

export type { CredentialReasonCode } from "./rules/credential-rule.ts";

/**
 * The result of checking a credential or token that a merchant presented: a refusal, or the mandate that the merchant
 * may use.
 */
export type Presented =
  | {
      refusal: CredentialRefusal;
      /** the mandate named in the credential or token; null if our signature is invalid */
      mandateId: string | null;
    }
  | {
      refusal: null;
      mandateId: string;
      /** the mandate version in the credential; null for a token, which is checked against its own terms instead */
      version: number | null;
      token: MandateTokenUse | null;
      /** id of the key that signed the credential; null for a token, whose key was already checked */
      kid: string | null;
      /** thumbprint of the key with which the holder signed */
      holderJkt: string;
      /** identifies this use of the credential or token; at most one charge is made per use */
      useHash: string;
      /** after this instant the presentation is refused as too old, so the record of its use may be deleted */
      usableUntil: Date;
    };

export type MandateTokenUse = {
  /** spending with this token is counted under this id */
  spendId: string;
  /**
   * payment_mandate_v1 as granted to the token; it permits at most what the mandate permitted when the token was signed
   */
  details: JsonObject;
  isLive: boolean;
};

/** The issuer of the other environment. Its credentials are never valid here (docs/spec/oauth.md, Key separation). */
export const otherIssuer = (config: Config): string | null =>
  config.environment === "sandbox" ? config.productionUrl : config.sandboxUrl;
