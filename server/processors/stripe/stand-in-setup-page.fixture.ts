type Onboarded = {
  id: string;
  country: string;
  business_profile: Record<string, string>;
  requirements: { currently_due: string[] };
};

const choices = [
  ["complete", "Complete"],
  ["review", "Complete, with a review"],
  ["more", "Submit, and another detail is needed"],
  ["leave", "Leave"],
] as const;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Replaces Stripe's hosted onboarding. The tester chooses its outcome. */
export const standInSetupPage = (account: Onboarded, path: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Stripe stand-in: onboarding</title>
<style>body{font:1rem/1.5 system-ui;max-width:32rem;margin:3rem auto;padding:0 1rem}form{margin:.5rem 0}</style></head>
<body><h1>Stripe stand-in</h1>
<p>Onboarding of ${escaped(account.business_profile["name"] ?? account.id)} (${account.id}), ${escaped(account.country)}.</p>
<p>Needed: ${escaped(account.requirements.currently_due.join(", ") || "nothing")}.</p>
${choices
  .map(([choice, label]) => `<form method="post" action="${path}/${choice}"><button>${label}</button></form>`)
  .join("\n")}
</body></html>`;
