"use client";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { discover, pushMandateRequest, registerClient } from "#client";
import type { Theme } from "../../layout/theme-toggle.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "./live-button.module.css";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "paygrant-button": ComponentProps<"div"> & {
        "client-id"?: string | undefined;
        "request-uri"?: string | undefined;
        "callback-origin"?: string | undefined;
        theme?: string | undefined;
      };
    }
  }
}

/** The service, and the callback page of the button. */
type Addresses = { issuer: string; redirectUri: string };
type Script = { src: string; integrity: string };
type Request = { clientId: string; requestUri: string };
type Act = { kind: "idle" | "busy" } | { kind: "failed"; text: string } | { kind: "done"; text: string };

/** Loads the script as an integrator's page does. The CSP (`strict-dynamic`) allows scripts that other scripts add. */
const useScript = ({ src, integrity }: Script): void => {
  useEffect(() => {
    const script = document.createElement("script");
    Object.assign(script, { src, integrity, crossOrigin: "anonymous" });
    document.head.append(script);
    return () => script.remove();
  }, [src, integrity]);
};

const clientName = "Documentation";

/**
 * Registers an agent and a shop for this page, and pushes a request. Their keys exist only until the page is closed.
 * @throws PaygrantError if the server refuses a request.
 */
const createRequest = async ({ issuer, redirectUri }: Addresses): Promise<Request> => {
  const server = await discover(issuer);
  const [agent, shop] = await Promise.all([
    registerClient(server, {
      clientName,
      redirectUris: [redirectUri],
      grantTypes: ["authorization_code", "refresh_token"],
    }),
    registerClient(server, { clientName, scope: "mandates.verify charges.write charges.read" }),
  ]);
  if (!shop.merchantId) throw new Error("The shop has no merchant.");
  const mandate = {
    actions: ["verify", "charge"],
    currency: "EUR",
    maxAmountPerPayment: 2000,
    periodicLimits: [{ period: "month", alignment: "calendar", maxAmount: 6000 }],
    payees: [{ id: shop.merchantId }],
    payerPresence: ["in_session"],
    purpose: "Try the button of the documentation",
  } as const;
  const { requestUri } = await pushMandateRequest(agent, { redirectUri, authorizationDetails: [mandate] });
  return { clientId: agent.clientId, requestUri };
};

/** The button with a real request of a test client, and the result that it sends to the page. */
export const LiveButton = ({ theme, script, addresses }: { theme: Theme; script: Script; addresses: Addresses }) => {
  useScript(script);
  const button = useRef<HTMLDivElement>(null);
  const [request, setRequest] = useState<Request | null>(null);
  const [act, setAct] = useState<Act>({ kind: "idle" });
  useEffect(() => {
    const element = button.current;
    const show = ({ type, detail }: Event & { detail?: unknown }) =>
      setAct({ kind: "done", text: `${type}\n${detail instanceof Error ? detail : JSON.stringify(detail, null, 2)}` });
    for (const type of ["paygrant-result", "paygrant-error"]) element?.addEventListener(type, show);
    return () => {
      for (const type of ["paygrant-result", "paygrant-error"]) element?.removeEventListener(type, show);
    };
  }, []);
  const prepare = async () => {
    setAct({ kind: "busy" });
    try {
      setRequest(await createRequest(addresses));
      setAct({ kind: "idle" });
    } catch (error) {
      setAct({ kind: "failed", text: error instanceof Error ? error.message : "The request can’t be created." });
    }
  };
  return (
    <div className={styles.live}>
      <div className={styles.acts}>
        <Button isBusy={act.kind === "busy"} onClick={prepare}>
          Create a test request
        </Button>
        <paygrant-button
          ref={button}
          theme={theme === "light" || theme === "dark" ? theme : "auto"}
          client-id={request?.clientId}
          request-uri={request?.requestUri}
          callback-origin={new URL(addresses.redirectUri).origin}
        />
      </div>
      <div role="status" className={styles.result}>
        {act.kind === "failed" && <p>{act.text}</p>}
        {act.kind === "done" && <pre>{act.text}</pre>}
        {act.kind === "idle" && request && <p>The request is valid for 5 minutes. Press the button.</p>}
      </div>
    </div>
  );
};
