import { WholeWords } from "../ui/whole-words.tsx";

/** A description from /openapi.json or a rule. Text between backticks is shown as code. */
export const Prose = ({ text }: { text: string }) => {
  const at = text.indexOf("`");
  const end = text.indexOf("`", at + 1);
  if (at < 0 || end < 0) return <WholeWords>{typographic(text)}</WholeWords>;
  return (
    <>
      <WholeWords>{typographic(text.slice(0, at))}</WholeWords>
      <code>{text.slice(at + 1, end)}</code>
      <Prose text={text.slice(end + 1)} />
    </>
  );
};

/** Contracts use either apostrophe; pages show one. Straight quotation marks stay. */
const typographic = (text: string): string => text.replace(/(?<=\p{L})'(?=\p{L})|^'(?=s\b)/gu, "’");
