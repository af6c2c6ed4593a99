import type { ConsentOptions, StartConsent } from "./start-consent.ts";

const labels = { en: "Continue with Paygrant", de: "Weiter mit Paygrant" };

/** A constructed style sheet, because a page's `style-src` doesn't apply to it. */
const css = `
:host { display: inline-block; color-scheme: light; }
:host([hidden]) { display: none; }
:host([theme="dark"]) { color-scheme: dark; }
button {
  display: inline-flex; align-items: center; justify-content: center; gap: .75em;
  box-sizing: border-box; width: 100%; min-height: 3em; padding: .5em 1.5em;
  border: 0; border-radius: .625em; cursor: pointer;
  background: light-dark(#00694f, #4cd2ab); color: light-dark(#fff, #031610);
  font: 600 1rem/1.2 system-ui, sans-serif;
}
button:hover { background: light-dark(#005741, #6ee3c0); }
button:focus-visible { outline: 3px solid light-dark(#00694f, #4cd2ab); outline-offset: 2px; }
button:disabled, button[aria-busy="true"] { opacity: .6; cursor: default; }
svg { flex: none; width: 1.5em; height: 1.5em; }
@media (prefers-color-scheme: dark) { :host([theme="auto"]) { color-scheme: dark; } }
@media (forced-colors: active) { button { border: 1px solid ButtonText; } }`;

const namespace = "http://www.w3.org/2000/svg";

const draw = (name: string, attributes: Record<string, string>): SVGElement => {
  const element = document.createElementNS(namespace, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
};

/** Sets only attributes, because a page's `style-src` also forbids inline styles. */
const drawMark = (): SVGElement => {
  const mark = draw("svg", { viewBox: "0 0 32 32", "aria-hidden": "true", fill: "none", stroke: "currentColor" });
  mark.append(
    draw("rect", { x: "1.5", y: "1.5", width: "29", height: "29", rx: "8", "stroke-width": "2.5" }),
    draw("path", {
      d: "M12 24V9h5.4a4.9 4.9 0 0 1 0 9.8h-2.6",
      "stroke-width": "3",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
  return mark;
};

const optionsOf = (element: Element): ConsentOptions => {
  const attribute = (name: string) => element.getAttribute(name) ?? undefined;
  return {
    requestUri: attribute("request-uri") ?? "",
    clientId: attribute("client-id") ?? "",
    // `startConsent` refuses other values.
    mode: attribute("mode") as ConsentOptions["mode"],
    fallback: attribute("fallback") as ConsentOptions["fallback"],
    issuer: attribute("issuer"),
    callbackOrigin: attribute("callback-origin"),
  };
};

/** Defines `<paygrant-button>`. A page that loads the script twice keeps the first definition. */
export const defineButton = (startConsent: StartConsent): void => {
  if (customElements.get("paygrant-button")) return;

  class PaygrantButton extends HTMLElement {
    static readonly observedAttributes = ["request-uri", "client-id"];
    readonly #button = document.createElement("button");

    constructor() {
      super();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      const root = this.attachShadow({ mode: "open", delegatesFocus: true });
      root.adoptedStyleSheets = [sheet];
      const label = document.createElement("slot");
      this.#button.type = "button";
      this.#button.append(drawMark(), label);
      this.#button.addEventListener("click", () => void this.#start());
      root.append(this.#button);
    }

    connectedCallback(): void {
      const slot = this.#button.querySelector("slot");
      const isGerman = this.closest("[lang]")?.getAttribute("lang")?.startsWith("de");
      if (slot) slot.textContent = isGerman ? labels.de : labels.en;
      this.attributeChangedCallback();
    }

    attributeChangedCallback(): void {
      this.#button.disabled = !this.getAttribute("request-uri") || !this.getAttribute("client-id");
    }

    /** Sends `paygrant-result` with the result, or `paygrant-error` with the error. */
    async #start(): Promise<void> {
      if (this.#button.ariaBusy === "true") return;
      this.#button.ariaBusy = "true";
      try {
        const result = await startConsent(optionsOf(this));
        this.#notify("paygrant-result", result);
      } catch (error) {
        this.#notify("paygrant-error", error);
      } finally {
        this.#button.ariaBusy = "false";
      }
    }

    #notify(type: string, detail: unknown): void {
      this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
    }
  }

  customElements.define("paygrant-button", PaygrantButton);
};
