"use client";
import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/trpc/root.ts";
import { Notice } from "../../ui/notice.tsx";

/** Why an action failed. `fields` contains messages by JSON pointer, which are shown next to their fields. */
export type Problem = { message: string; fields: Readonly<Record<string, string>> };

const isTrpcError = (error: unknown): error is TRPCClientError<AppRouter> => error instanceof TRPCClientError;

/** @param message the text to show, from `useMessageOf` */
export const problemOf = (error: unknown, message: string): Problem => ({
  message,
  fields: Object.fromEntries(
    isTrpcError(error)
      ? (error.data?.fields ?? []).map(({ pointer, detail }) => [pointer, error.data?.reason ? message : detail])
      : [],
  ),
});

export const ProblemNotice = ({ problem }: { problem: Problem }) => (
  <Notice tone="bad" isLive>
    {problem.message}
  </Notice>
);
