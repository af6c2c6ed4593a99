import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/trpc/root.ts";
import { PasskeyProblem } from "../../sign-in/passkey.ts";

/** For mutations. Pages render their data on the server. */
export const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc" })] });

/** The error code, for a page that can react to it. */
export const reasonOf = (error: unknown): string | null =>
  error instanceof TRPCClientError ? (error.data?.reason ?? null) : null;

/** The message to show. */
export const messageOf = (error: unknown): string => {
  if (error instanceof PasskeyProblem) return error.message;
  if (!(error instanceof TRPCClientError)) return "Something went wrong. Please try again.";
  if (error.data?.code === "UNAUTHORIZED") return "Your session has ended. Sign in again, then repeat the action.";
  return error.message || "The service can’t be reached. Please try again in a moment.";
};
