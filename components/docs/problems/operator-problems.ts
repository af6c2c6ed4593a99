/** What each error code of the operator console means, and what to do. */
export const operatorProblems: Readonly<Record<string, string>> = {
  merchant_details_changed: "The merchant changed its details after the page was loaded. Review them again.",
  logo_changed: "The merchant changed its logo after the page was loaded. Look at the new logo.",
  charge_not_under_review: "The charge doesn’t need an operator: its outcome is known or is still being looked up.",
  payment_not_under_review:
    "The payment of the invoice doesn’t need an operator: its outcome is known or is still being looked up.",
  mail_not_found: "This e-mail wasn’t found. E-mails are deleted after 30 days.",
  mail_not_retryable: "This e-mail can’t be sent again: it is outdated, or its recipient isn’t a valid e-mail address.",
  incident_not_found: "This incident wasn’t found. Check the ID.",
  incident_draft: "The incident isn’t confirmed yet. Confirm or dismiss it first.",
  incident_public: "The incident is already public and can’t be dismissed. Resolve it instead.",
  incident_resolved: "The incident is resolved. Open a new one if the problem returns.",
  incident_dismissed: "The draft was dismissed. If it was an incident after all, open a new one.",
  maintenance_not_found: "This maintenance window wasn’t found. Check the ID.",
  maintenance_scheduled: "The maintenance hasn’t started. Start or cancel it first.",
  maintenance_in_progress: "The maintenance has started and can’t be canceled. Complete it.",
  maintenance_completed: "The maintenance is completed and can’t be changed.",
  server_entry: "The entry of the authorization server itself can’t be suspended. Suspend another entry.",
  issuer_listed: "The directory already lists this authorization server. Search for its issuer in the directory.",
  not_listed_server:
    "The console can withdraw only authorization servers that an operator listed. To stop another entry, suspend it.",
  reset_by_schedule: "The sandbox reset is scheduled by SANDBOX_RESET. Change that setting to change the announcement.",
  maintenance_cancelled: "The maintenance was canceled and can’t be changed. Schedule a new one.",
  action_not_found: "The postmortem doesn’t have this action. Reload the page.",
  postmortem_too_early: "The incident isn’t resolved. Resolve it, then write its postmortem.",
  postmortem_changed: "Someone else has changed the postmortem. Reload the page and add your text again.",
  postmortem_incomplete:
    "A published postmortem needs a summary, a timeline, causes and an action. Write the missing parts. They are listed in `errors`.",
  day_not_compared: "This day hasn’t been compared yet, or its results were deleted after 13 months.",
  job_run_not_found: "This run wasn’t found. Runs are deleted after a week.",
  private_key: "You entered a private key. Enter its public JWK or its thumbprint.",
  unreadable_key: "The key to block is neither a thumbprint (RFC 7638) nor one JWK as JSON.",
  unsupported_key: "Clients can’t use a key of this kind, so you don’t need to block it.",
  blocked_key_not_found: "This key isn’t on the blocklist, or another operator has just removed it.",
  job_not_retried:
    "This job empties the sandbox and must be announced, so it can’t be retried. It runs again on schedule.",
  job_busy: "The job’s next run is already queued or running. Check again in a minute.",
  account_not_found: "This account wasn’t found. Check the ID.",
  client_not_found: "This client wasn’t found. Check the ID.",
  update_id_taken:
    "This update was already posted to another incident or maintenance window. Reload the page and write the update again.",
};
