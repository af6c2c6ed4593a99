import { WholeWords } from "../ui/whole-words.tsx";

/** A description from /openapi.json or a rule. Text between backticks is shown as code. */
export const Prose = ({ text }: { text: string }) => {
  const at = text.indexOf("`");
  const end = text.indexOf("`", at + 1);
  if (at < 0 || end < 0) return <WholeWords>{text}</WholeWords>;
  return (
    <>
      <WholeWords>{text.slice(0, at)}</WholeWords>
      <code>{text.slice(at + 1, end)}</code>
      <Prose text={text.slice(end + 1)} />
    </>
  );
};
