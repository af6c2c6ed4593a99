import type { Metadata } from "next";
import { Example } from "#components/docs/api/example.tsx";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import guide from "#components/docs/guide.module.css";
import { MeaningList } from "#components/docs/meaning-list.tsx";
import { Prose } from "#components/docs/prose.tsx";
import { demoPaymentMethods, simulationMeanings, testPaymentMethods } from "#components/docs/simulations.ts";
import { formatList } from "#components/format/text.ts";
import { testCardNames } from "#server/accounts/payment-methods/test-cards.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { docsSite } from "../docs-site.ts";

export const metadata: Metadata = { title: "Sandbox" };

const example = JSON.stringify(
  {
    mandate_id: "mdt_…",
    amount: 1250,
    currency: "EUR",
    payer_presence: "off_session",
    metadata: { simulate: "decline:insufficient_funds" },
  },
  null,
  2,
);

const t = translator("en", "payment-methods");
const testCardList = formatList(testCardNames.map((name) => t(`cards.${name}`)));

const SandboxPage = async () => {
  const { config, ...site } = await docsSite();
  return (
    <DocsFrame
      site={site}
      current="/docs/sandbox"
      title="Sandbox"
      intro={
        <p>
          The sandbox at <code>{config.environment === "sandbox" ? config.baseUrl : config.sandboxUrl}</code> runs the
          same software as production, by default with a simulated payment processor. It has its own keys, clients,
          mandates and database, and no money moves.
        </p>
      }
    >
      <div className={guide.guide}>
        <section aria-labelledby="simulate">
          <h2 id="simulate">Simulated outcomes</h2>
          <p>
            <code>metadata.simulate</code> of a <a href="/docs/api/createCharge">charge</a> determines the outcome at
            the processor. In production it has no effect.
          </p>
          <Example label="Example of a charge">{`POST /merchant_test/charge\n\n${example}`}</Example>
        </section>
        <section aria-labelledby="values">
          <h2 id="values">
            Values of <code>metadata.simulate</code>
          </h2>
          <MeaningList
            items={Object.entries(simulationMeanings).map(([value, meaning]) => [`\`${value}\``, meaning] as const)}
          />
        </section>
        <section aria-labelledby="payment-methods">
          <h2 id="payment-methods">Test payment methods</h2>
          <p>
            Without <code>metadata.simulate</code>, the payer’s payment method determines the outcome. The demo payer
            has <Prose text={demoPaymentMethods.map(([name, label]) => `\`${name}\` (${label})`).join(" and ")} />.
            Payments with either method succeed.
          </p>
          <p>
            In the sandbox, payers can add these test cards in the wallet and on the consent page: {testCardList}. The
            simulator supports the methods below. <code>metadata.simulate</code> produces the same declines and
            confirmations, but no disputes and no failed refunds.
          </p>
          <MeaningList items={testPaymentMethods} />
        </section>
        {site.environment === "sandbox" ? <Clock /> : null}
      </div>
    </DocsFrame>
  );
};

const Clock = () => (
  <section aria-labelledby="clock">
    <h2 id="clock">Clock</h2>
    <p>
      An operator can move the sandbox’s clock forward with{" "}
      <a href="/docs/api/advanceSandboxClock">POST /sandbox/clock</a>, to test the end of periods and mandates without
      waiting. On an installation with the embedded database, a program on the same machine can do this too.
    </p>
  </section>
);

export default SandboxPage;
