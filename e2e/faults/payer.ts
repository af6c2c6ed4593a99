import type { Random } from "../malformed/random.ts";
import { postForm } from "../support/answers/wire.ts";
import { forgetSessions } from "../support/oauth/consent-driver.ts";
import { answerInWallet } from "../support/oauth/wallet.ts";
import type { Order } from "./orders.ts";

type Question = { type: string; url: string };

/** The payer's next step according to a charge's last answer. */
const questionOf = ({ answer }: Order): Question | null => {
  const action = answer?.status === 202 && answer.json?.["status"] === "requires_action" && answer.json["next_action"];
  return action ? (action as Question) : null;
};

export const needsPayer = (order: Order): boolean => questionOf(order) !== null;

/**
 * Answers a charge as the payer does, in the wallet or on the bank's page. While processes are killed, an answer may be
 * lost. The charge is then still pending, and the payer answers again.
 */
export const answerAsPayer = async (order: Order, random: Random): Promise<void> => {
  const question = questionOf(order);
  if (!question) return;
  const isAllowed = random.chance(80);
  const answering =
    question.type === "redirect"
      ? postForm(question.url, { result: isAllowed ? "confirm" : "refuse" })
      : answerInWallet(order.merchant.baseUrl, isAllowed ? "approve" : "decline", String(order.answer?.json?.["id"]));
  const heard = await answering.catch((error: unknown) => String(error));
  if (typeof heard !== "string" && heard.status < 400) return;
  // After a lost answer, the payer signs in again. If the answers keep failing, the last reason is reported.
  forgetSessions();
  order.refusal = typeof heard === "string" ? heard : `${heard.status} ${heard.text.slice(0, 300)}`;
};
