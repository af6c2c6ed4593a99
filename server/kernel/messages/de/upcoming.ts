import type { upcoming as en } from "../en/upcoming.ts";
import type { Texts } from "../texts.ts";

export const upcoming: Texts<typeof en> = {
  title: "Angekündigt",
  intro:
    "Zahlungen, die Händler angekündigt haben. Es ist nichts reserviert. Solange ein Mandat pausiert ist, werden neue Zahlungen abgelehnt.",
  expected: "Angekündigt",
  earlier: "Frühere Ankündigungen",
  upcomingLink: "Angekündigte Zahlungen",
  caption: "Angekündigte Zahlungen",
  columns: { merchant: "Händler", mandate: "Mandat", due: "Fällig", status: "Status", amount: "Betrag" },
  statuses: { announced: "Angekündigt", charged: "Abgebucht", canceled: "Abgesagt", past: "Nicht abgebucht" },
  search: "Nach Händler, App, Zweck oder Verwendungszweck suchen",
  noMatch: "Keine angekündigte Zahlung passt zu „{search}“.",
  clearSearch: "Suche zurücksetzen",
  paused: "Mandat pausiert",
  empty: "Keine angekündigten Zahlungen",
  emptyText:
    "Wenn ein Händler eine Zahlung ankündigt, erhalten Sie mindestens 24 Stunden vorher eine E-Mail, und Sie sehen die Zahlung hier.",
  earlierEmpty: "Keine früheren Ankündigungen",
  earlierEmptyText: "Hier sehen Sie Ankündigungen, die abgebucht, abgesagt oder nicht rechtzeitig abgebucht wurden.",
  notice: {
    title: "{merchant} wird {amount} abbuchen",
    titlePast: "{merchant} hat {amount} angekündigt",
    by: "Zahlung über {agent}",
    status: {
      announced:
        "Angekündigt. Wenn Sie einverstanden sind, müssen Sie jetzt nichts tun. Wenn die Zahlung Ihre Freigabe braucht, erhalten Sie eine E-Mail.",
      announcedPaused:
        "Das Mandat ist pausiert. {merchant} kann deshalb nichts abbuchen. Setzen Sie das Mandat fort, wenn Sie bezahlen möchten.",
      charged: "Diese Zahlung wurde abgebucht.",
      canceled: "Diese Zahlung wird nicht abgebucht.",
      past: "Diese Zahlung wurde nicht rechtzeitig abgebucht.",
    },
    due: "Fällig",
    reference: "Verwendungszweck",
    noReference: "Nicht angegeben",
    mandate: "Mandat",
    announced: "Angekündigt am",
    pauseTitle: "Dieses Mandat pausieren",
    pauseText:
      "Solange dieses Mandat pausiert ist, werden neue Zahlungen abgelehnt. Sie können es jederzeit fortsetzen.",
    seeCharge: "Zahlung ansehen",
    seeMandate: "Mandat ansehen",
    back: "Alle angekündigten Zahlungen",
    notFound: "Ankündigung nicht gefunden",
    notFoundText: "Diese Ankündigung gehört nicht Ihnen, oder die Adresse ist falsch.",
  },
};
