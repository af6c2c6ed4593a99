import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { heldMinorOf, limitLabels, type MandateTexts } from "../../format/labels/mandate-labels.ts";
import { formatAmount } from "../../format/money.ts";

/** What the dialog that stops a mandate shows. */
export type StoppableMandate = {
  id: string;
  clientName: string;
  /** the purpose in quotation marks, or a text that says that there is none */
  purpose: string;
  /** the limits, as sentences */
  limits: readonly string[];
  locale: string;
  /** the number of live mandates of the same client, including this one */
  liveOfClient: number;
  /** the amount that payments in progress hold, formatted; null for none */
  held: string | null;
};

/** Both the server and the browser call it. */
export const toStoppable = (
  mandate: WalletMandate,
  { locale, t }: { locale: string; t: MandateTexts },
): StoppableMandate => {
  const held = heldMinorOf(mandate);
  return {
    id: mandate.id,
    clientName: mandate.client.name,
    purpose: mandate.purpose ? t("quoted", { text: mandate.purpose }) : t("noPurpose"),
    limits: limitLabels(mandate, { locale, t }),
    locale,
    liveOfClient: mandate.liveOfClient,
    held: held > 0 ? formatAmount(held, mandate.currency, { locale }) : null,
  };
};
