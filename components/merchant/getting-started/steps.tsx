import type { FirstSteps } from "#server/data/merchants/first-steps.ts";
import type { MerchantApp } from "#server/trpc/merchant/app-views.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy/code-block.tsx";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Link } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./getting-started.module.css";
import { type Language, languages } from "./languages.ts";
import { fillSnippet, type SnippetStep, type SnippetValues } from "./snippets/snippet.ts";
import { Step } from "./step.tsx";

type Props = {
  app: MerchantApp | null;
  values: SnippetValues;
  language: Language;
  progress: FirstSteps;
  isSandbox: boolean;
  /** payments go to the simulator, not to Stripe */
  isSimulated: boolean;
  /** webhooks may be sent to a receiver on this machine */
  allowsLoopback: boolean;
  sandboxUrl: string | null;
  /** the member may manage apps and webhooks */
  mayManage: boolean;
};

const neededScopes = ["mandates.verify", "charges.write"];

/** The steps from a new key to a charged mandate and a webhook. The code contains the ids of this merchant and app. */
export const Steps = (props: Props) => {
  const { app, values, language, progress, isSandbox, allowsLoopback, sandboxUrl, mayManage } = props;
  const code = (step: SnippetStep) => <StepCode language={language} step={step} values={values} />;
  return (
    <ol className={styles.steps}>
      <Step number={1} title="Register an app with a key" isDone={progress.hasApp}>
        <AppStep app={app} isDone={progress.hasApp} mayManage={mayManage} />
      </Step>
      <Step number={2} title="Prepare a folder" isDone={null}>
        {code("setup")}
        <p className="small">
          Move the files that you downloaded in step 1, <code>private-key.jwk.json</code> and{" "}
          <code>private-key.pem</code>, into this folder. Run all programs there.
        </p>
      </Step>
      <Step number={3} title="Get an access token" isDone={progress.hasToken}>
        {code("token")}
      </Step>
      <Step number={4} title="Get a mandate" isDone={progress.hasMandate}>
        {isSandbox ? <AgentStep>{code("agent")}</AgentStep> : <ProductionAgent sandboxUrl={sandboxUrl} />}
      </Step>
      <Step number={5} title="Verify the mandate" isDone={progress.hasVerified}>
        <p className="small">Before you deliver, check whether the mandate allows the payment. No money moves.</p>
        {code("verify")}
      </Step>
      <Step number={6} title="Charge the mandate" isDone={progress.hasCharged}>
        <p className="small">
          {moneyNote(props)} The payment appears under <Link href="/merchant/payments">Payments</Link>, and its request
          under <Link href="/merchant/logs">API logs</Link>.
        </p>
        {code("charge")}
      </Step>
      <Step number={7} title="Receive a webhook" isDone={progress.hasWebhook}>
        <WebhookStep allowsLoopback={allowsLoopback} mayManage={mayManage} />
        {code("webhook")}
      </Step>
    </ol>
  );
};

/** The sandbox accepts test keys only, so no real money moves with any processor. */
const moneyNote = ({ isSandbox, isSimulated }: Pick<Props, "isSandbox" | "isSimulated">): string => {
  if (isSimulated) return "The processor is simulated. No real money moves.";
  return isSandbox ? "No real money moves." : "This payment moves real money.";
};

const askTeam = "Your role can’t change this. Ask an owner, admin or developer of your team.";

type AppStepProps = { app: MerchantApp | null; isDone: boolean; mayManage: boolean };

const AppStep = ({ app, isDone, mayManage }: AppStepProps) => {
  if (app === null && !mayManage) return <p className="small">No app is registered. {askTeam}</p>;
  if (app === null) {
    return (
      <>
        {isDone ? <p className="small">Your apps were deleted. Register a new one to run the code below.</p> : null}
        <p className="small">
          Choose “Verify and charge mandates” and “Generate a key pair”. Then download the private key in both formats.
        </p>
        <div>
          <ButtonLink href="/merchant/apps/register" variant="primary">
            Register app
          </ButtonLink>
        </div>
      </>
    );
  }
  const missing = neededScopes.filter((scope) => !app.scopes.includes(scope));
  return (
    <>
      <p className="small">
        The code below is for the app <Link href={`/merchant/apps/${app.id}`}>{app.name}</Link>.{" "}
        {mayManage ? (
          <>
            If you don’t have its private key, <Link href={`/merchant/apps/${app.id}/keys`}>add a key</Link>.
          </>
        ) : null}
      </p>
      <CopyText label="client ID" text={app.id} />
      {missing.length > 0 ? (
        <Notice tone="warn">
          The app lacks the {missing.length === 1 ? "scope" : "scopes"} {missing.join(" and ")}.{" "}
          {mayManage ? (
            <>
              <Link href={`/merchant/apps/${app.id}/edit`}>Change its scopes</Link>.
            </>
          ) : (
            askTeam
          )}
        </Notice>
      ) : null}
    </>
  );
};

const AgentStep = ({ children }: { children: React.ReactNode }) => (
  <>
    <p className="small">
      In production, a payer’s agent requests a mandate. Here, you act as both the agent and the payer: the program
      registers a test agent, pushes its request, and prints a consent link. Open the link, sign in or sign up, add a
      test card, and approve.
    </p>
    {children}
  </>
);

const ProductionAgent = ({ sandboxUrl }: { sandboxUrl: string | null }) => (
  <p className="small">
    In production, payers’ agents request mandates that name you as payee, with your merchant ID. When an agent pays, it
    gives you the mandate ID. Save the ID in a file named <code>mandate-id.txt</code>, which the next steps read.{" "}
    {sandboxUrl ? (
      <>
        To try both sides yourself, use the{" "}
        <a href={`${sandboxUrl}/merchant/getting-started`}>getting-started page of the sandbox</a>.
      </>
    ) : null}
  </p>
);

const WebhookStep = ({ allowsLoopback, mayManage }: { allowsLoopback: boolean; mayManage: boolean }) => (
  <p className="small">
    {mayManage ? <Link href="/merchant/webhooks/new">Add an endpoint</Link> : "Ask your team for an endpoint"} with the
    URL{" "}
    {allowsLoopback ? (
      <code>http://127.0.0.1:8401/webhooks</code>
    ) : (
      "of your receiver. The URL must be public and use https. For example, use the URL of a tunnel to port 8401 on your machine"
    )}
    . Copy the endpoint’s secret, start the receiver below, then charge again or send a test event from the endpoint’s
    page.
  </p>
);

const StepCode = ({ language, step, values }: { language: Language; step: SnippetStep; values: SnippetValues }) => {
  const snippet = languages[language].snippets[step];
  const code = fillSnippet(snippet.code, values);
  if (snippet.file === null) return <CodeBlock title="Terminal" code={code} />;
  return (
    <>
      <CodeBlock title={snippet.file} code={code} />
      <CopyText label="command" text={snippet.command} />
    </>
  );
};
