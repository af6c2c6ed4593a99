import { cdnUrlOf } from "./own-address.ts";

type Status = { name: string; state: string; label: string; status_url: string };

const refreshMilliseconds = 60_000;

const css = `
:host { display: inline-block; }
:host([hidden]) { display: none; }
a {
  display: inline-flex; overflow: hidden; border-radius: .375rem; color: #fff; text-decoration: none;
  font: 600 .75rem/1.5rem Inter, system-ui, sans-serif;
}
b { padding: 0 .6em; background: #151b24; font-weight: inherit; }
i { padding: 0 .6em; background: #535962; font-style: normal; }
a:focus-visible { outline: 3px solid #1f5da8; outline-offset: 2px; }
[data-state="operational"] i { background: #0a6b35; }
[data-state="degraded"] i { background: #7f5000; }
[data-state="partial_outage"] i, [data-state="major_outage"] i { background: #b3261e; }
[data-state="maintenance"] i { background: #1f5da8; }`;

const unknown: Status = { name: "Paygrant", state: "unknown", label: "Unknown", status_url: "" };

/**
 * Defines `<paygrant-status component="…">`: the current state, with a link to the status page. It is refreshed each
 * minute while the page is visible. Everything that it loads is shown as text.
 */
export const defineStatus = (script: string | undefined): void => {
  if (customElements.get("paygrant-status")) return;
  const cdnUrl = cdnUrlOf(script);

  class PaygrantStatus extends HTMLElement {
    static readonly observedAttributes = ["component"];
    readonly #link = document.createElement("a");
    readonly #name = document.createElement("b");
    readonly #label = document.createElement("i");
    #timer: ReturnType<typeof setInterval> | undefined;

    constructor() {
      super();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      // A space for screen readers, which read the link as one text.
      this.#link.append(this.#name, " ", this.#label);
      root.append(this.#link);
      this.#show(unknown);
    }

    connectedCallback(): void {
      this.#timer = setInterval(() => {
        if (!document.hidden) void this.#refresh();
      }, refreshMilliseconds);
      void this.#refresh();
    }

    disconnectedCallback(): void {
      clearInterval(this.#timer);
    }

    attributeChangedCallback(): void {
      if (this.isConnected) void this.#refresh();
    }

    async #refresh(): Promise<void> {
      if (cdnUrl === null) return;
      const component = this.getAttribute("component");
      const query = component ? `?${new URLSearchParams({ component })}` : "";
      const status = await fetch(`${cdnUrl}/v1/status-badge.json${query}`)
        .then((response) => (response.ok ? (response.json() as Promise<Status>) : unknown))
        .catch(() => unknown);
      // The attribute may have changed in the meantime.
      if (component === this.getAttribute("component")) this.#show(status);
    }

    #show({ name, state, label, status_url: address }: Status): void {
      this.#link.dataset["state"] = state;
      this.#name.textContent = name;
      this.#label.textContent = label;
      if (/^https?:\/\//.test(address)) this.#link.href = address;
    }
  }

  customElements.define("paygrant-status", PaygrantStatus);
};
