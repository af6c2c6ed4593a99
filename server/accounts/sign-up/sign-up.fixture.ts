import { makeAgentClient } from "#e2e/support/factories.ts";
import { makeAuthenticator } from "#e2e/support/oauth/authenticator.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { beginSignUp } from "./begin-sign-up.ts";
import { beginSignUpPasskey } from "./begin-sign-up-passkey.ts";
import { finishSignUpByPasskey } from "./finish-sign-up.ts";
import { verifySignUp } from "./verify-sign-up.ts";

export const info = { requestId: "req_test", ipAddress: "203.0.113.9", userAgent: "Vitest" };
export const password = "correct horse battery";
export const freshEmail = (): string => `${newId("acc").toLowerCase()}@example.test`;

type Options = { email?: string; method?: "passkey" | "password"; returnTo?: string; invitation?: string };

/** Sends the form as a browser does. @returns the address, and the browser's Cookie header. */
export const beginAs = async (deps: Deps, options: Options = {}) => {
  const { email = freshEmail(), method = "password", returnTo = "/wallet", invitation = null } = options;
  const fields = { name: " Grace  Hopper ", email, method, password };
  const preferences = { locale: "de-DE", timeZone: "Europe/Berlin" };
  const begun = await beginSignUp(deps, { fields, returnTo, invitation, ...preferences, info });
  if (begun.kind === "invalid") throw new Error(JSON.stringify(begun.problems));
  return { email: email.trim().toLowerCase(), cookieHeader: begun.cookie.split(";")[0] ?? "" };
};

/** The newest mail to this address. */
export const readMail = async (deps: Deps, recipient: string) => {
  const { kind, text, subject } = await deps.db.prisma.mail.findFirstOrThrow({
    where: { recipient },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  const code = /\b(\d{3}) (\d{3})\b/.exec(text)?.slice(1).join("") ?? "";
  const token = /confirm\?token=([\w-]{43})/.exec(text)?.[1] ?? "";
  return { kind, text, subject, code, token };
};

/** Signs up with the code of the mail. */
export const signUpAs = async (deps: Deps, options: Options = {}) => {
  const begun = await beginAs(deps, options);
  const { code } = await readMail(deps, begun.email);
  const outcome = await verifySignUp(deps, { code, cookieHeader: begun.cookieHeader, info });
  return { ...begun, outcome };
};

/** Creates the passkey of a verified sign-up. */
export const createPasskeyAs = async (deps: Deps, cookieHeader: string) => {
  const authenticator = makeAuthenticator({ origin: deps.config.walletUrl });
  const attestation = authenticator.create(await beginSignUpPasskey(deps, { cookieHeader }));
  return finishSignUpByPasskey(deps, { attestation, name: "This device", cookieHeader, info });
};

/** An opened authorization request. @returns its handle. */
export const makeOpenRequest = async (deps: Deps, seconds = 900): Promise<string> => {
  const now = deps.clock.now();
  const { id: clientId } = await makeAgentClient(deps);
  const handle = newId("req").replace("_", "");
  const completeBy = addSeconds(now, seconds);
  await deps.db.prisma.pushedRequest.create({
    data: {
      requestUriHash: handle,
      handle,
      clientId,
      request: {},
      createdAt: now,
      expiresAt: completeBy,
      datedAt: completeBy,
      openedAt: now,
      completeBy,
    },
  });
  return handle;
};
