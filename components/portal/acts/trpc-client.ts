import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { Translator } from "#server/kernel/messages/translator.ts";
import type { AppRouter } from "#server/trpc/root.ts";
import { PasskeyProblem } from "../../sign-in/passkey.ts";

/** For mutations. Pages render their data on the server. */
export const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc" })] });

/** The error code, for a page that can react to it. */
export const reasonOf = (error: unknown): string | null =>
  error instanceof TRPCClientError ? (error.data?.reason ?? null) : null;

/** Use the hook `useMessageOf` in components. */
export const messageOf = (
  error: unknown,
  texts: { acts: Translator<"acts">; passkey: Translator<"passkey"> },
): string => {
  const { acts, passkey } = texts;
  if (error instanceof PasskeyProblem) return passkey(error.text);
  if (!(error instanceof TRPCClientError)) return acts("failed");
  if (error.data?.code === "UNAUTHORIZED") return acts("signedOut");
  const text = `reasons.${error.data?.reason}` as "reasons.password_refused";
  return acts.has(text) ? acts(text) : error.message || acts("unreachable");
};
