/** What each error code of accounts, merchants and operators means, and what to do. Pages show these texts. */
export const accountProblems: Readonly<Record<string, string>> = {
  code_refused:
    "The code of the authenticator app is wrong or was already used. Wait for the next code, then enter it.",
  second_factor_required: "Operators need a second factor. Reload the page, then enter the code.",
  totp_exists: "The account already has an authenticator app. Reload the page, then enter its code.",
  payment_method_not_found: "This payment method wasn’t found. It may have been removed.",
  payment_method_in_use:
    "A mandate that hasn’t ended uses the payment method. Choose another payment method for the mandate, or stop the mandate.",
  too_many_payment_methods: "The account has 30 payment methods, which is the maximum. Remove one first.",
  test_cards_unavailable: "Payments use real cards here. Add a card instead.",
  invoice_cards_unavailable:
    "Cards for invoices can’t be added through Stripe here. Follow the payment instructions of the invoice.",
  client_not_connected: "The app isn’t connected. It may have been disconnected already.",
  data_export_not_found: "The export wasn’t found. It may have expired: request a new one.",
  operator_account: "Operators can’t delete their account. Ask an admin to remove your operator role first.",
  merchant_owner: "The account is the only owner of a merchant. Transfer the ownership first.",
  too_many_merchants: "The account owns the maximum number of merchants. Transfer the ownership of one first.",
  too_many_pending_merchants: "Too many of your merchants are waiting for approval. Wait for a decision.",
  merchant_pending: "The merchant is waiting for approval by Paygrant. Try again after the approval.",
  merchant_declined: "Paygrant declined the merchant. It can’t charge or register apps.",
  processor_not_connectable: "Payments of this merchant are simulated. There is no account to connect.",
  account_refused: "Stripe didn’t accept the business details. Correct country, website or category, then try again.",
  account_disconnected: "The account was disconnected at Stripe or deleted. Contact Paygrant.",
  merchant_already_approved: "The merchant was already approved. To stop its charges, suspend it.",
  changed_meanwhile: "The app was changed at the same time. Reload it, check it, and try again.",
  operator_not_found: "No operator or pending invitation has this address. Check the address.",
  admins_only: "Only admins can change operators. Ask an admin.",
  last_admin: "This is the last admin. Give another operator the role admin first.",
  invitation_gone: "The link has expired or was already used. Ask for a new invitation.",
  invitation_for_another: "The invitation was sent to another address. Sign in with the invited address.",
  invitation_not_valid: "The invitation isn’t valid for this account. Ask for a new one.",
  too_many_invitations:
    "The team has 50 open invitations, which is the maximum. Cancel one under “Open invitations” first.",
  too_many_invitation_emails:
    "The team has sent too many invitations by e-mail in 24 hours, including resent ones. Try again tomorrow.",
  too_many_processor_requests: "Your team sent too many requests to Stripe. Wait 30 seconds, then try again.",
  note_required: "A refund with the reason “Other” needs a note, which the payer sees. Enter a note.",
  sent_recently: "The invitation was sent less than a minute ago. Wait a minute, then resend it.",
  too_many_resends: "The invitation was resent 5 times within 24 hours. Try again tomorrow.",
  same_owner: "This member is already the owner. Choose another member.",
  owners_only: "Only an owner can appoint, change or remove an owner.",
  managers_only: "Only owners and admins can change the team. Ask one of them.",
  last_owner: "A merchant needs an owner. Transfer the ownership to another member first.",
  mail_choice_not_found:
    "The link isn’t valid. Copy the whole address from the e-mail, or open Notifications in the wallet.",
  tax_details_changed:
    "Someone else changed the tax details in the meantime. Check your entries, then save again to replace theirs.",
  settings_changed: "Someone else saved these settings in the meantime. Check the new values, then save again.",
  setting_fixed: "The merchant is approved, so its members can’t change this value any more. Contact Paygrant.",
  logo_refused: "The picture can’t be used as a logo. The message next to the picture says what to change.",
  sign_in_required: "Sign in with the invited address, then accept the invitation.",
  too_many_connections: "Too many pages of your account are open. Close one, or reload the page to see changes.",
};
