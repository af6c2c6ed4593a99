import { createTransport } from "nodemailer";
import type { ClaimedMail } from "../../data/mail/mail.ts";
import type { Config } from "../../deps/config.ts";
import { isLoopbackAddress } from "../../kernel/text/ip-address.ts";

/** `isFinal`: the server refuses this mail permanently (RFC 5321 §4.2.1), so it isn't sent again. */
export type SendOutcome = { kind: "sent" } | { kind: "failed"; problem: string; isFinal: boolean };
/** Always resolves: an error of the server is an outcome. */
export type MailSender = (mail: OutgoingMail) => Promise<SendOutcome>;

type OutgoingMail = Pick<
  ClaimedMail,
  "id" | "recipient" | "subject" | "text" | "html" | "createdAt" | "unsubscribeUrl"
>;

const connectMilliseconds = 10_000;
const silenceMilliseconds = 20_000;
/** Time limit for one mail in total. */
const deadlineMilliseconds = 60_000;

/**
 * Sends by SMTP (RFC 5321). `smtps` uses TLS from the start; `smtp` uses STARTTLS if the server offers it. If a
 * password is sent over a network, STARTTLS is required. A mail that is sent again keeps its Message-ID (RFC 5322
 * §3.6.4).
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
        // RFC 3834 §5: prevents automatic replies.
        headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(unsubscribeUrl) },
        signal: AbortSignal.timeout(deadlineMilliseconds),
      });
      return { kind: "sent" };
    } catch (error) {
      return failureOf(error, recipient);
    }
  };
};

/** RFC 2369 §3.2 and RFC 8058 §3.1: mail programs offer to unsubscribe without a visit to a page. */
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

/**
 * Errors that concern the mail itself. Errors of earlier steps, such as a wrong password, can be fixed, and the mail
 * can be sent afterwards.
 */
const mailErrors: ReadonlySet<unknown> = new Set(["EENVELOPE", "EMESSAGE"]);

/** Server responses often repeat the recipient's address, which the stored problem must not contain. */
const withoutAddress = (text: string, address: string): string =>
  text.replaceAll(new RegExp(address.replaceAll(/\W/g, "\\$&"), "gi"), "…");

const failureOf = (error: unknown, recipient: string): SendOutcome => {
  const { code, responseCode, response, message } = error as Record<string, unknown>;
  // If there is no response, the error's message names the cause, for example an untrusted certificate.
  const text = [code, response ?? message].filter((part) => typeof part === "string").join(": ") || "no response";
  return {
    kind: "failed",
    // PostgreSQL's text type can't contain NUL.
    problem: withoutAddress(text, recipient).replaceAll("\0", "\uFFFD").toWellFormed().slice(0, 300),
    isFinal: mailErrors.has(code) && typeof responseCode === "number" && responseCode >= 500,
  };
};
