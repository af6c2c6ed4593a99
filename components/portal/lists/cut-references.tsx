import { Notice } from "../../ui/notice.tsx";

/** On a list of disputes: a search by reference that reads only some of the matching charges. */
export const CutReferences = () => (
  <Notice tone="warn">
    Many references start with this text. The list shows only the disputes of 1,000 of these payments. Enter more of the
    reference.
  </Notice>
);
