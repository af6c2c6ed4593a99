"use client";
import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/trpc/root.ts";
import { capitalize, toSentence } from "../../format/text.ts";
import { Notice } from "../../ui/notice.tsx";

/** Why an action failed. `fields` contains messages by JSON pointer, which are shown next to their fields. */
export type Problem = { message: string; fields: Readonly<Record<string, string>> };

const isTrpcError = (error: unknown): error is TRPCClientError<AppRouter> => error instanceof TRPCClientError;

/**
 * The details of fields are in English. They are shown only if `message` is the server's own text. Otherwise, each
 * field shows `message`.
 * @param message the text to show, from `useMessageOf`
 */
export const problemOf = (error: unknown, message: string): Problem => {
  if (!isTrpcError(error)) return { message, fields: {} };
  const fields = error.data?.fields ?? [];
  // The message of a domain error about one field is complete, so it is shown at the field instead of the detail.
  const isExact = message === error.message && !(error.data?.reason && fields.length === 1);
  return {
    message,
    fields: Object.fromEntries(
      fields.map(({ pointer, detail }) => [pointer, isExact ? toSentence(capitalize(detail)) : message]),
    ),
  };
};

export const ProblemNotice = ({ problem }: { problem: Problem }) => (
  <Notice tone="bad" isLive>
    {problem.message}
  </Notice>
);
