import type { Catalogue } from "#server/kernel/messages/catalogues.ts";

declare module "use-intl" {
  /** `useTranslations` knows each area, its keys and their arguments. */
  interface AppConfig {
    Messages: Catalogue;
  }
}
