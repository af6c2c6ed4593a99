import type { Metadata } from "next";
import { clientLibraries } from "#components/docs/client-libraries.ts";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import guide from "#components/docs/guide.module.css";
import { Prose } from "#components/docs/prose.tsx";
import { CodeBlock } from "#components/ui/copy/code-block.tsx";
import { docsSite } from "../docs-site.ts";

export const metadata: Metadata = { title: "Client libraries" };

const ClientsPage = async () => {
  const { config, ...site } = await docsSite();
  return (
    <DocsFrame
      site={site}
      current="/docs/clients"
      title="Client libraries"
      intro={
        <p>
          Paygrant is an OAuth 2.0 authorization server, not an OpenID provider. Its metadata is at{" "}
          <code>{config.baseUrl}/.well-known/oauth-authorization-server</code> (RFC 8414); there is no{" "}
          <code>/.well-known/openid-configuration</code>, which many libraries look for first. Clients authenticate with{" "}
          <code>private_key_jwt</code>, push their authorization requests (RFC 9126) and use PKCE with S256.
        </p>
      }
    >
      <div className={guide.guide}>
        {clientLibraries.map(({ name, language, text, code }) => (
          <section key={name} aria-labelledby={name}>
            <h2 id={name}>{name}</h2>
            <p>
              <Prose text={text} />
            </p>
            <CodeBlock title={language} label={`${name} example`} code={code(config.baseUrl)} />
          </section>
        ))}
      </div>
    </DocsFrame>
  );
};

export default ClientsPage;
