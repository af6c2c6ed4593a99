import { Notice } from "../../ui/notice.tsx";

/** Shown above a list of disputes if its search by reference read only a part of the matching charges. */
export const CutReferences = () => (
  <Notice tone="warn">
    Many references start with this text. The list shows only the disputes of 1,000 of these payments. Enter more of the
    reference.
  </Notice>
);
