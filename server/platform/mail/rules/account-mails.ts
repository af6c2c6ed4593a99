import type { Draft } from "./mail-body.ts";
import type { ContentOf } from "./mail-content.ts";
import { formatMailTime } from "./mail-dates.ts";

/** The code is shown in two groups, which are easier to read and to type. */
const groupsOf = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

export const draftVerificationMail = ({ code, confirmUrl, expiresAt, reader }: ContentOf<"verification">): Draft => ({
  subject: `${groupsOf(code)} is your Paygrant code`,
  blocks: [
    "Type this code on the page where you signed up. It confirms that this e-mail address is yours.",
    {
      facts: [
        ["Code", groupsOf(code)],
        ["Expires", formatMailTime(expiresAt, reader)],
      ],
    },
    "You can also confirm the address with a link:",
    { link: { label: "Confirm this address", href: confirmUrl } },
    "If you didn’t sign up, ignore this e-mail and don’t share the code. Without it, no account is created.",
  ],
});

export const draftAccountExistsMail = ({ signInUrl }: ContentOf<"account_exists">): Draft => ({
  subject: "You already have a Paygrant account",
  blocks: [
    "Someone, probably you, tried to sign up with this e-mail address. It already has an account, so no new account was created.",
    { link: { label: "Sign in", href: signInUrl } },
    "If you forgot your password, you can reset it on the sign-in page. If it wasn’t you, you don’t need to do anything.",
  ],
});
