"use client";
import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/trpc/root.ts";
import { Notice } from "../../ui/notice.tsx";
import { messageOf } from "./trpc-client.ts";

/** What went wrong with an act, as a page tells it: beside a field where one is named. */
export type Problem = { message: string; fields: Readonly<Record<string, string>> };

const isOurs = (error: unknown): error is TRPCClientError<AppRouter> => error instanceof TRPCClientError;

export const problemOf = (error: unknown): Problem => ({
  message: messageOf(error),
  fields: Object.fromEntries(
    isOurs(error)
      ? (error.data?.fields ?? []).map(({ pointer, detail }) => [pointer, error.data?.reason ? error.message : detail])
      : [],
  ),
});

export const ProblemNotice = ({ problem }: { problem: Problem }) => (
  <Notice tone="bad" isLive>
    {problem.message}
  </Notice>
);
