import type { Metadata } from "next";
import { ButtonSections } from "#components/docs/button/button-sections.tsx";
import { LiveButton } from "#components/docs/button/live-button.tsx";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import guide from "#components/docs/guide.module.css";
import { ButtonLink } from "#components/ui/button.tsx";
import { currentBundle } from "#server/assets/bundle.ts";
import type { Config } from "#server/deps/config.ts";
import { docsSite } from "../docs-site.ts";

export const metadata: Metadata = { title: "Button" };

/** A redirect URI without TLS must have a loopback IP address (RFC 8252 §7.3). */
const callbackAddress = ({ baseUrl }: Pick<Config, "baseUrl">): string => {
  const { protocol, port } = new URL(baseUrl);
  const origin = protocol === "https:" ? baseUrl : `http://127.0.0.1:${port || "80"}`;
  return `${origin}/docs/button/callback`;
};

const ButtonPage = async () => {
  const { config, ...site } = await docsSite();
  const { manifest } = await currentBundle();
  const file = manifest.files.find(({ name }) => name === "paygrant.js");
  if (!file) throw new Error("the bundle has no paygrant.js");
  const script = { issuer: config.baseUrl, cdnUrl: config.cdnUrl, path: file.path, integrity: file.integrity };
  return (
    <DocsFrame
      site={site}
      current="/docs/button"
      title="Button"
      intro={
        <p>
          One script adds a button that shows the consent page in a popup or by redirect. It has no dependencies, takes{" "}
          {file.br_bytes.toLocaleString("en")} bytes with Brotli, and works under a strict Content-Security-Policy.
        </p>
      }
    >
      <div className={guide.guide}>
        <section aria-labelledby="live">
          <h2 id="live">Try it</h2>
          {config.environment === "sandbox" ? (
            <>
              <p>
                Select “Create a test request”, then press the Paygrant button. In the popup, sign in as a payer of the
                sandbox and approve or decline.
              </p>
              <LiveButton
                theme={site.theme}
                script={{ src: `/cdn/${file.path}`, integrity: file.integrity }}
                addresses={{ issuer: config.baseUrl, redirectUri: callbackAddress(config) }}
              />
            </>
          ) : (
            <p>
              <ButtonLink href={`${config.sandboxUrl}/docs/button`}>Try it in the sandbox</ButtonLink>
            </p>
          )}
        </section>
        <ButtonSections script={script} />
      </div>
    </DocsFrame>
  );
};

export default ButtonPage;
