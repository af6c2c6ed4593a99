import type { Metadata } from "next";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";

export { default } from "../../unknown-page.tsx";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "wallet")("notFound"),
});
