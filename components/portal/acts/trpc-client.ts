import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/trpc/root.ts";
import { PasskeyProblem } from "../../sign-in/passkey.ts";

/** For what a page changes; what it shows was rendered on the server. */
export const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc" })] });

/** The code of what went wrong, for a page that can do something about it. */
export const reasonOf = (error: unknown): string | null =>
  error instanceof TRPCClientError ? (error.data?.reason ?? null) : null;

/** What to tell the person, and to look up where they ask for help. */
export const messageOf = (error: unknown): string => {
  if (error instanceof PasskeyProblem) return error.message;
  if (!(error instanceof TRPCClientError)) return "That didn’t work. Try again.";
  if (error.data?.code === "UNAUTHORIZED") return "Your session has ended. Sign in again, then repeat this.";
  return error.message || "The service can’t be reached. Try again in a moment.";
};
