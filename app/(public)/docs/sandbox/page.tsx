import type { Metadata } from "next";
import operation from "#components/docs/api/operation.module.css";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import guide from "#components/docs/guide.module.css";
import { MeaningList } from "#components/docs/meaning-list.tsx";
import { Prose } from "#components/docs/prose.tsx";
import { demoPaymentMethods, simulationMeanings, testPaymentMethods } from "#components/docs/simulations.ts";
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
          same software as production with a simulated payment processor. Keys, clients, mandates and databases are its
          own, and no money moves.
        </p>
      }
    >
      <div className={guide.guide}>
        <section aria-labelledby="simulate">
          <h2 id="simulate">Simulated outcomes</h2>
          <p>
            <code>metadata.simulate</code> of a <a href="/docs/api/createCharge">charge</a> chooses what the processor
            does. In production it is metadata like any other.
          </p>
          <pre className={operation.example}>{`POST /merchant_test/charge\n\n${example}`}</pre>
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
            Without <code>metadata.simulate</code>, the payer’s payment method decides. The demo payer has{" "}
            <Prose text={demoPaymentMethods.map(([name, label]) => `\`${name}\` (${label})`).join(" and ")} />, and both
            succeed.
          </p>
          <p>
            The list below is the simulator’s own. The wallet can’t add these methods yet, so no payer can choose the
            others. <code>metadata.simulate</code> gives the same declines and confirmations, but no dispute.
          </p>
          <MeaningList items={testPaymentMethods} />
        </section>
        {site.environment === "sandbox" ? (
          <section aria-labelledby="clock">
            <h2 id="clock">Clock</h2>
            <p>
              <a href="/docs/api/advanceSandboxClock">POST /sandbox/clock</a> puts the sandbox’s time ahead, so that
              periods end and mandates expire without waiting.
            </p>
          </section>
        ) : null}
      </div>
    </DocsFrame>
  );
};

export default SandboxPage;
