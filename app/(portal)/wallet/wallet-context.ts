import { TRPCError } from "@trpc/server";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { Reader } from "#components/format/reader.ts";
import { contextOf } from "#server/trpc/context.ts";
import { createCaller } from "#server/trpc/root.ts";
import { pageDeps, requireSession } from "../../page-context.ts";

/** What every wallet page works with: the procedures as the signed-in payer, how they read, and what time it is. */
export const walletPage = async (path: string) => {
  const deps = await pageDeps();
  const session = await requireSession(path);
  const { locale, timeZone } = session.account;
  const reader: Reader = { locale, timeZone };
  return {
    api: createCaller(contextOf(deps, await headers(), session)),
    reader,
    email: session.account.email,
    now: await deps.businessClock.now(),
    config: deps.config,
  };
};

/** An id of someone else's, or a text that can't be an id, is a page that doesn't exist. */
export const orNotFound = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST")) notFound();
    throw error;
  }
};
