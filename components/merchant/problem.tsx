"use client";
import { TRPCClientError } from "@trpc/client";
import { usePathname } from "next/navigation";
import type { AppRouter } from "#server/trpc/root.ts";
import { Notice } from "../ui/notice.tsx";
import { messageOf } from "../wallet/trpc-client.ts";

/** What went wrong with an act, as a page tells it: beside a field where one is named. */
export type Problem = { message: string; needsProof: boolean; fields: Readonly<Record<string, string>> };

const isOurs = (error: unknown): error is TRPCClientError<AppRouter> => error instanceof TRPCClientError;

export const problemOf = (error: unknown): Problem => ({
  message: messageOf(error),
  needsProof: isOurs(error) && error.data?.reason === "proof_too_old",
  fields: Object.fromEntries(
    isOurs(error) ? (error.data?.fields ?? []).map(({ pointer }) => [pointer, error.message]) : [],
  ),
});

/** @param returnTo where a new sign-in leads; this page where nothing else is said. */
export const ProblemNotice = ({ problem, returnTo }: { problem: Problem; returnTo?: string }) => {
  const pathname = usePathname();
  return (
    <Notice tone="bad" isLive>
      {problem.message} {problem.needsProof ? <a href={signInAgain(returnTo ?? pathname)}>Sign in again</a> : null}
    </Notice>
  );
};

const signInAgain = (returnTo: string): string =>
  `/sign-in?${new URLSearchParams({ return_to: returnTo, again: "1" })}`;
