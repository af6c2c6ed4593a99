import { Notice } from "../../ui/notice.tsx";

/** Shown above a list of disputes if its search by reference read only a part of the matching charges. */
export const TruncatedSearchNotice = ({ noun }: { noun: "payments" | "charges" }) => (
  <Notice tone="warn">
    More than 1,000 {noun} have a reference that starts with this text. The list shows the disputes of only 1,000 of
    them. Enter more of the reference.
  </Notice>
);
