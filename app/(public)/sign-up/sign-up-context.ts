import { headers } from "next/headers";
import { cache } from "react";
import { findPendingSignUp } from "#server/accounts/sign-up/find-pending-sign-up.ts";
import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import { currentLocale, pageDeps } from "../../page-context.ts";

export const signUpTexts = async (): Promise<Translator<"sign-up">> => translator(await currentLocale(), "sign-up");

/** The sign-up that this browser began, cached per request. */
export const currentSignUp = cache(async () => findPendingSignUp(await pageDeps(), (await headers()).get("cookie")));
