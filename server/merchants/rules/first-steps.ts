type Steps = Readonly<
  Record<"hasApp" | "hasToken" | "hasMandate" | "hasVerified" | "hasCharged" | "hasEndpoint" | "hasWebhook", boolean>
>;

/**
 * The steps that are done. A later step is also a proof of the steps that it needs: a charge checks the mandate as a
 * verification does, and both need a mandate and an access token of an app. Otherwise a step would be open although a
 * later one is done, for example if its record was deleted (docs/spec/portal.md, Getting started).
 */
export const completeSteps = (recorded: Steps): Steps => {
  const hasVerified = recorded.hasVerified || recorded.hasCharged;
  const hasToken = recorded.hasToken || hasVerified;
  return {
    ...recorded,
    hasApp: recorded.hasApp || hasToken,
    hasToken,
    hasMandate: recorded.hasMandate || hasVerified,
    hasVerified,
    hasEndpoint: recorded.hasEndpoint || recorded.hasWebhook,
  };
};
