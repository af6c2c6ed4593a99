/** The page that is shown if a page or link can't be opened, such as the link of a consent request. */
export const errorPage = {
  title: "We can’t continue",
  unknownRequest:
    "This request is unknown, expired or already completed. If you approved it, your wallet shows the mandate. Otherwise, start again in the app.",
  wallet: "Open my wallet",
  malformed: "The link is malformed. Go back to the app and start again.",
  busy: "Too many requests came from your network. Wait {seconds, plural, one {one second} other {# seconds}}, then reload this page.",
  unavailable: "The service is temporarily unavailable. Wait a minute, then reload this page.",
  unavailablePageTitle: "The service is temporarily unavailable",
  unavailablePage: "This page can’t be loaded at the moment. Wait a few seconds, then try again.",
  loadAgain: "Try again",
  fault: "Something went wrong on our side. Nothing was approved. Please try again.",
} as const;
