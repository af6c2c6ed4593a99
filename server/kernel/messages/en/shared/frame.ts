/** Header and footer of each page. */
export const frame = {
  skip: "Skip to content",
  menu: "Menu",
  signOut: "Sign out",
  sandbox: "Sandbox",
  sandboxNotice: "Sandbox: no real money moves",
  sandboxClock: "Sandbox clock",
  sandboxClockNow: "Sandbox clock: {date}",
  service: "Service",
  status: "Status",
  api: "API",
  errors: "Errors",
  language: "Language",
  theme: "Theme",
  systemTheme: "System theme",
  lightTheme: "Light theme",
  darkTheme: "Dark theme",
} as const;
