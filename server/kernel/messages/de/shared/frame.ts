import type { frame as en } from "../../en/shared/frame.ts";
import type { Texts } from "../../texts.ts";

export const frame: Texts<typeof en> = {
  skip: "Zum Inhalt springen",
  menu: "Menü",
  closeMenu: "Menü schließen",
  signOut: "Abmelden",
  sandbox: "Sandbox",
  sandboxNotice: "Sandbox: Es fließt kein echtes Geld",
  sandboxClock: "Uhr der Sandbox",
  sandboxClockNow: "Uhr der Sandbox: {date}",
  startSelling: "Händler werden",
  service: "Dienst",
  status: "Status",
  api: "API",
  site: "Website",
  demo: "Demo",
  pricing: "Preise",
  wallet: "Wallet",
  signUp: "Konto erstellen",
  errors: "Fehler",
  language: "Sprache",
  theme: "Darstellung",
  systemTheme: "Wie das System",
  lightTheme: "Helle Darstellung",
  darkTheme: "Dunkle Darstellung",
};
