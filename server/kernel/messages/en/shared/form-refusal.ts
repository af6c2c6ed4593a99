/** The page after a form that was sent without script, if the form’s own page can’t show the error. */
export const formRefusal = {
  back: "Go back",
  invalidTitle: "The form can’t be accepted",
  invalid:
    "Nothing was changed. An entry is missing, is too long, or contains characters that can’t be used. Go back with your browser’s Back button, which keeps what you typed. Then check your entries and send the form again.",
  foreignTitle: "The form can’t be accepted",
  foreign:
    "Nothing was changed. The form wasn’t sent from a page of this site, or your browser hides where it came from. Go back, then send the form again.",
  busyTitle: "Too many requests",
  busy: "Nothing was changed. Too many requests came from your network. Wait {seconds, plural, one {one second} other {# seconds}}, then reload this page. Your browser sends the form again, with your entries.",
  unavailableTitle: "The service is temporarily unavailable",
  unavailable: "Wait a minute, then reload this page. Your browser sends the form again, with your entries.",
  faultTitle: "Something went wrong on our side",
  fault:
    "Reload this page to try again. Your browser sends the form again, with your entries. If the error persists, report the ID below.",
  wrongMethodTitle: "This address accepts only forms",
  wrongMethod: "There is nothing to show here. Go back, then send the form again.",
} as const;
