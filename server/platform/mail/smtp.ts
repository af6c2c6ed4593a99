import { createTransport } from "nodemailer";
import type { ClaimedMail } from "../../data/mail/mail.ts";
import type { Config } from "../../deps/config.ts";
import { isLoopbackAddress } from "../../kernel/text/ip-address.ts";

/** `isFinal`: the server will never take it (RFC 5321 §4.2.1), so it isn't sent again. */
export type SendOutcome = { kind: "sent" } | { kind: "failed"; problem: string; isFinal: boolean };
/** Resolves always: a fault of the server is an outcome. */
export type MailSender = (mail: OutgoingMail) => Promise<SendOutcome>;

type OutgoingMail = Pick<
  ClaimedMail,
  "id" | "recipient" | "subject" | "text" | "html" | "createdAt" | "unsubscribeUrl"
>;

const connectMilliseconds = 10_000;
const silenceMilliseconds = 20_000;
/** Of one mail, whatever the server does. */
const deadlineMilliseconds = 60_000;

/**
 * Sends by SMTP (RFC 5321): with `smtps` under TLS from the first octet, with `smtp` by STARTTLS where the server offers
 * it, and never a password over a network in the clear. A mail sent again has the same Message-ID (RFC 5322 §3.6.4).
 */
export const createSmtpSender = ({ smtpUrl, mailFrom }: { smtpUrl: string } & Pick<Config, "mailFrom">): MailSender => {
  const transport = createTransport({
    ...serverOf(new URL(smtpUrl)),
    connectionTimeout: connectMilliseconds,
    dnsTimeout: connectMilliseconds,
    greetingTimeout: connectMilliseconds,
    socketTimeout: silenceMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = mailFrom.slice(mailFrom.lastIndexOf("@") + 1);
  return async ({ id, recipient, subject, text, html, createdAt, unsubscribeUrl }) => {
    try {
      await transport.sendMail({
        subject,
        text,
        html,
        date: createdAt,
        messageId: `<${id}@${domain}>`,
        from: { name: "Paygrant", address: mailFrom },
        to: { name: "", address: recipient },
        envelope: { from: mailFrom, to: [recipient] },
        // RFC 3834 §5: nobody's absence note answers it.
        headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(unsubscribeUrl) },
        signal: AbortSignal.timeout(deadlineMilliseconds),
      });
      return { kind: "sent" };
    } catch (error) {
      return failureOf(error, recipient);
    }
  };
};

/** RFC 2369 §3.2 and RFC 8058 §3.1: a mail program offers to end it, without a visit to any page. */
const unsubscribeHeaders = (url: string | null): Record<string, string> =>
  url === null ? {} : { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };

const serverOf = ({ protocol, hostname, port, username, password }: URL) => {
  const secure = protocol === "smtps:";
  const auth = username === "" ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(auth === null ? {} : { auth }),
    requireTLS: !secure && auth !== null && host !== "localhost" && !isLoopbackAddress(host),
  };
};

/** Refusals of this very mail; what is refused before it (a wrong password) can be mended, and the mail sent then. */
const ofTheMail: ReadonlySet<unknown> = new Set(["EENVELOPE", "EMESSAGE"]);

/** What servers answer often repeats the address, which is kept sealed or not at all where the problem is kept. */
const withoutAddress = (words: string, address: string): string =>
  words.replaceAll(new RegExp(address.replaceAll(/\W/g, "\\$&"), "gi"), "…");

const failureOf = (error: unknown, recipient: string): SendOutcome => {
  const { code, responseCode, response } = error as { code?: unknown; responseCode?: unknown; response?: unknown };
  const words = [code, response].filter((part) => typeof part === "string").join(": ") || "no answer";
  return {
    kind: "failed",
    // PostgreSQL's text holds no NUL.
    problem: withoutAddress(words, recipient).replaceAll("\0", "\uFFFD").toWellFormed().slice(0, 300),
    isFinal: ofTheMail.has(code) && typeof responseCode === "number" && responseCode >= 500,
  };
};
