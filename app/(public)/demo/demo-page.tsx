import { headers } from "next/headers";
import { redirect } from "next/navigation";
import demoStyles from "#components/demo/demo.module.css";
import { Demo } from "#components/demo/demo.tsx";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { Config } from "#server/deps/config.ts";
import { currentTheme, pageDeps } from "../../page-context.ts";

/** The demo runs in the sandbox only. Other hosts redirect to BASE_URL, because the demo's state is kept per origin. */
export const DemoPage = async () => {
  const [{ config }, theme] = await Promise.all([pageDeps(), currentTheme()]);
  const frame = {
    width: "wide",
    environment: config.environment,
    theme,
    statusUrl: config.statusUrl,
    aside: (
      <SiteLinks
        demoUrl={config.environment === "sandbox" ? "/demo" : `${config.sandboxUrl}/demo`}
        isSignUpOpen={config.signUp === "open"}
      />
    ),
  } as const;
  if (config.environment !== "sandbox") {
    return (
      <PageFrame {...frame}>
        <EmptyState
          isPage
          title="The demo runs in the sandbox"
          act={<ButtonLink href={`${config.sandboxUrl}/demo`}>Open the demo</ButtonLink>}
        >
          This is production. The sandbox at {config.sandboxUrl} runs the same software and moves no money.
        </EmptyState>
      </PageFrame>
    );
  }
  const host = (await headers()).get("host");
  const own = new URL(config.baseUrl);
  if (host !== null && host !== own.host) redirect(`${config.baseUrl}/demo`);
  return (
    <PageFrame {...frame}>
      <div className={demoStyles.head}>
        <h1>Watch an agent spend your money, within your limits</h1>
        <p className={demoStyles.lead}>
          This tab runs a shop and an agent. Go through the real flow, request by request. You can stop the agent at any
          time. The demo takes two minutes and moves no money.
        </p>
      </div>
      <Demo
        addresses={{ issuer: config.baseUrl, redirectUri: demoRedirectUri(config) }}
        hasDemoPayer={config.seedDemo}
      />
    </PageFrame>
  );
};

/**
 * The redirect URI of the demo's agent. If the issuer uses http, the URI has a loopback IP address, which production
 * accepts too (RFC 8252 §7.3). /demo/callback redirects back to this origin.
 */
const demoRedirectUri = ({ baseUrl }: Pick<Config, "baseUrl">): string => {
  const { protocol, port } = new URL(baseUrl);
  return protocol === "https:" ? `${baseUrl}/demo/callback` : `http://127.0.0.1:${port || "80"}/demo/callback`;
};
