import type { Metadata } from "next";
import { ConsentPicture } from "#components/landing/consent-picture.tsx";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Icon, type IconName } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Config } from "#server/deps/config.ts";
import { currentTheme, pageDeps } from "../page-context.ts";
import styles from "./page.module.css";

export const metadata: Metadata = { title: { absolute: "Paygrant: payments by agents, within your limits" } };

const steps: readonly { icon: IconName; title: string; text: string; call: string }[] = [
  {
    icon: "bot",
    title: "An agent asks for permission",
    text: "The agent sends a request: amounts, periods, merchants and an end date.",
    call: "POST /oauth/par",
  },
  {
    icon: "person",
    title: "You set the limits",
    text: "You see who asks and why. Lower any limit, then approve or decline.",
    call: "/consent",
  },
  {
    icon: "shop",
    title: "A merchant charges",
    text: "The merchant checks the mandate, then charges it. A charge outside the limits is refused, with the reason.",
    call: "POST /merchant_test/charge",
  },
  {
    icon: "shield",
    title: "You stop it",
    text: "Pause or stop the mandate in your wallet. The next charge is refused.",
    call: "Stop in /wallet",
  },
];

const promises = [
  [
    "Never above a limit",
    "Every limit is checked in the transaction that reserves the money, so simultaneous charges can’t exceed it.",
  ],
  ["Never twice", "A charge is stored before it is sent to the processor, and its idempotency key makes retries safe."],
  [
    "No shared secrets",
    "Clients authenticate with their own keys. In production, an agent’s tokens are bound to its key, so a stolen token is useless.",
  ],
] as const;

const signUpNotes = {
  invite: "You can sign up with an invitation, or when an app asks you to approve a mandate.",
  closed: "No new accounts are created at the moment.",
} as const;

/** `demo`: the path or URL of the demo page. */
const Hero = ({ config, demo }: { config: Config; demo: string }) => (
  <section className={styles.hero}>
    <div>
      <h1>Let software pay for you, within limits you set</h1>
      <p className={styles.lead}>
        Paygrant is an OAuth 2.0 authorization server for payments. Apps and agents spend your money within your limits,
        and merchants charge you through Paygrant. You see every payment and can stop any permission in one place.
      </p>
      <div className={styles.acts}>
        <ButtonLink href={demo} variant="primary">
          {config.environment === "sandbox" ? "Try the demo" : "Try the demo in the sandbox"}
        </ButtonLink>
        {config.signUp === "open" ? <ButtonLink href="/sign-up">Create account</ButtonLink> : null}
        <ButtonLink href="/wallet">Open my wallet</ButtonLink>
      </div>
      <p className={styles.links}>
        <Link href="/merchant/new">Start selling</Link>
        <Link href={`${config.environment === "sandbox" ? "" : config.sandboxUrl}/merchant/getting-started`}>
          Getting started
        </Link>
      </p>
      {config.signUp === "open" ? null : <p className="small muted">{signUpNotes[config.signUp]}</p>}
    </div>
    <ConsentPicture />
  </section>
);

const LandingPage = async () => {
  const [{ config }, theme] = await Promise.all([pageDeps(), currentTheme()]);
  const isSandbox = config.environment === "sandbox";
  const demo = isSandbox ? "/demo" : `${config.sandboxUrl}/demo`;
  return (
    <PageFrame
      width="wide"
      environment={config.environment}
      theme={theme}
      statusUrl={config.statusUrl}
      aside={<SiteLinks demoUrl={demo} isSignUpOpen={config.signUp === "open"} />}
    >
      <Hero config={config} demo={demo} />
      <section className={styles.flow} aria-labelledby="flow">
        <h2 id="flow">How it works</h2>
        <ol className={styles.steps}>
          {steps.map(({ icon, title, text, call }, index) => (
            <li key={title} className={`card ${styles.step}`}>
              <header>
                <Icon name={icon} size={24} />
                <span className="tiny num">{index + 1} of 4</span>
              </header>
              <h3>{title}</h3>
              <p className="small muted">{text}</p>
              <span className={styles.call}>{call}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className={styles.promises} aria-label="What you can rely on">
        {promises.map(([title, text]) => (
          <div key={title}>
            <h2>{title}</h2>
            <p className="small muted">{text}</p>
          </div>
        ))}
      </section>
    </PageFrame>
  );
};

export default LandingPage;
