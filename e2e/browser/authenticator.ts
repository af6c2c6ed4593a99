import type { Page } from "@playwright/test";

/**
 * Chromium's virtual authenticator on this device.
 * @returns a function that sets whether the authenticator confirms the user.
 */
export const addAuthenticator = async (page: Page, isUserVerified = true) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return (isVerified: boolean) => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: isVerified });
};
