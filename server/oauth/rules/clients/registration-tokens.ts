import { defineRules } from "../../../kernel/rule.ts";

const initial = { places: ["registerClient"], error: "invalid_token" } as const;

export const initialTokenSentRules = defineRules<{ isSandbox: boolean; authorization: string | null }>(
  "initial access token, presence",
  initial,
  [
    {
      name: "initial-token-sent",
      source: "docs/spec/oauth.md, Client registration",
      problem: "an initial access token is required",
      holds: ({ isSandbox, authorization }) => isSandbox || authorization !== null,
    },
  ],
);

type Presented = {
  /** null if malformed */
  scheme: "bearer" | "dpop" | null;
};

export const initialTokenSchemeRules = defineRules<Presented>("initial access token, scheme", initial, [
  {
    name: "initial-token-bearer",
    source: "RFC 7591 §3",
    problem: "the initial access token must be sent with the Bearer scheme",
    holds: ({ scheme }) => scheme === "bearer",
  },
]);

type Initial = {
  token: { expiresAt: Date; usesLeft: number; revokedAt: Date | null; isMakerActive: boolean } | null;
  now: Date;
};

/** The error explains to the holder of a token why the token isn't valid. */
export const initialTokenRules = defineRules<Initial>("initial access token", initial, [
  {
    name: "initial-token-known",
    source: "RFC 7591 §3",
    problem: "the initial access token is unknown",
    holds: ({ token }) => token !== null,
  },
  {
    name: "initial-token-not-expired",
    source: "docs/spec/oauth.md, Client registration",
    problem: "the initial access token has expired",
    holds: ({ token, now }) => token !== null && token.expiresAt > now,
  },
  {
    name: "initial-token-not-revoked",
    source: "docs/spec/oauth.md, Client registration",
    problem: "the initial access token has been revoked",
    holds: ({ token }) => token !== null && token.revokedAt === null,
  },
  {
    name: "initial-token-maker",
    source: "docs/spec/oauth.md, Client registration",
    problem: "the participant that created the initial access token is not active in the directory",
    holds: ({ token }) => token?.isMakerActive === true,
  },
  {
    name: "initial-token-uses",
    source: "docs/spec/oauth.md, Client registration",
    problem: "the initial access token has been used up",
    holds: ({ token }) => token !== null && token.usesLeft > 0,
  },
]);

const own = { places: ["every registration access token"], error: "invalid_token" } as const;

export const registrationTokenSentRules = defineRules<{ authorization: string | null }>(
  "registration access token, presence",
  own,
  [
    {
      name: "registration-token-sent",
      source: "RFC 7592 §2",
      problem: "a registration access token is required",
      holds: ({ authorization }) => authorization !== null,
    },
  ],
);

export const registrationTokenRules = defineRules<{ isOfClient: boolean }>("registration access token", own, [
  {
    // Same answer for an unknown client, a deleted one and another client's token.
    name: "registration-token-of-client",
    source: "RFC 7592 §2.1",
    problem: "the registration access token is not valid for this client",
    holds: ({ isOfClient }) => isOfClient,
  },
]);

export const replacedRegistrationRules = defineRules<{ isUnchanged: boolean }>(
  "registration, concurrent changes",
  { places: ["replaceClientRegistration"], error: "invalid_request" },
  [
    {
      // If the registration has changed since it was read, the request was checked against old keys and secrets.
      name: "registration-unchanged",
      source: "RFC 7592 §2.2",
      problem: "the registration was changed by another request: read it again",
      holds: ({ isUnchanged }) => isUnchanged,
    },
  ],
);
