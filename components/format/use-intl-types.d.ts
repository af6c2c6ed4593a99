import type { Catalogue } from "#server/kernel/messages/catalogues.ts";

declare module "use-intl" {
  /** The compiler checks the area, the keys and the arguments of `useTranslations`. */
  interface AppConfig {
    Messages: Catalogue;
  }
}
