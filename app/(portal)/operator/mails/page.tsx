import type { Metadata } from "next";
import { headers } from "next/headers";
import { mailKinds } from "#components/format/labels/mail-labels.ts";
import { MailPage, MailText } from "#components/operator/service/mail-body.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Select } from "#components/ui/field/field.tsx";
import { defaultLocales, languageNames, languages } from "#server/kernel/messages/languages.ts";
import { framedMail } from "#server/platform/mail/rules/framed-mail.ts";
import { renderMail } from "#server/platform/mail/rules/render-mail.ts";
import { mailSamples } from "#server/platform/mail/samples/mail-samples.ts";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "E-mail preview" };

const here = "/operator/mails";

const environments = { production: "Production", sandbox: "Sandbox" } as const;
const themes = { light: "Light", dark: "Dark" } as const;
const widths = { "600": "600 px", "360": "360 px" } as const;

type Choices<Value extends string> = Readonly<Record<Value, string>>;

/** The chosen value. Without a valid choice, the first value. */
const chosen = <Value extends string>(choices: Choices<Value>, text: string | undefined): Value => {
  const values = Object.keys(choices) as Value[];
  const [first] = values;
  if (first === undefined) throw new RangeError("no choices");
  return values.find((value) => value === text) ?? first;
};

const Choice = <Value extends string>({
  label,
  name,
  choices,
  value,
}: {
  label: string;
  name: string;
  choices: Choices<Value>;
  value: Value;
}) => (
  <Select label={label} name={name} defaultValue={value}>
    {Object.entries<string>(choices).map(([key, text]) => (
      <option key={key} value={key}>
        {text}
      </option>
    ))}
  </Select>
);

/** Every kind of e-mail with example data, as payers, merchants and subscribers receive it. */
const MailsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { reader } = await operatorPage(here, "mail_sample.read");
  const read = <Value extends string>(name: string, choices: Choices<Value>) =>
    chosen(choices, searchText(params, name));
  const choicesInUrl = Object.fromEntries(
    ["kind", "language", "environment", "theme", "width"].map((name) => [name, searchText(params, name)]),
  );
  const kind = read("kind", mailKinds);
  const language = read("language", languageNames);
  const environment = read("environment", environments);
  const theme = read("theme", themes);
  const width = read("width", widths);
  const sample = mailSamples({ locale: defaultLocales[language], timeZone: reader.timeZone })[kind];
  const mail = renderMail(sample, { environment });
  const policy = (await headers()).get("content-security-policy");
  return (
    <>
      <PageHead title="E-mail preview">
        {`Each kind of e-mail, with example data. E-mail about accounts, mandates and payers’ payments is available in ${languages.length} languages. All other e-mail is in English.`}
      </PageHead>
      <FilterForm action={here} filters={choicesInUrl} submit="Show">
        <Choice label="Kind" name="kind" choices={mailKinds} value={kind} />
        <Choice label="Language" name="language" choices={languageNames} value={language} />
        <Choice label="Environment" name="environment" choices={environments} value={environment} />
        <Choice label="Theme" name="theme" choices={themes} value={theme} />
        <Choice label="Width" name="width" choices={widths} value={width} />
      </FilterForm>
      <Section title={mail.subject}>
        <MailPage html={framedMail(mail.html, { policy, theme })} width={Number(width)} />
      </Section>
      <Section title="Plain text">
        <MailText text={mail.text} />
      </Section>
    </>
  );
};

export default MailsPage;
