import type { OperatorContradiction } from "#server/trpc/operator/operator-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import { InlineList } from "../../format/inline-list.tsx";
import type { Reader } from "../../format/reader.ts";
import { Item, ItemList } from "../../portal/item-list.tsx";
import { Link } from "../../ui/link.tsx";
import { IfAllowed } from "../if-allowed.tsx";
import { describeContradiction } from "../labels/operator-charge-labels.ts";
import { CloseContradiction } from "./close-contradiction.tsx";

type ListProps = { now: Date; reader: Reader };

/** Contradictions between processors and our records, across merchants, oldest first. */
export const ContradictionList = ({
  contradictions,
  now,
  reader,
}: { contradictions: readonly OperatorContradiction[] } & ListProps) => (
  <ItemList>
    {contradictions.map((one) => (
      <Item
        key={one.id}
        icon="warning"
        title={<Link href={`/operator/charges/${one.charge.id}`}>{one.merchantName}</Link>}
        note={
          <InlineList
            items={[
              describeContradiction(one, reader),
              one.charge.reference === null ? one.charge.id : `Reference: ${one.charge.reference}`,
              formatRelativeDateTime(new Date(one.raisedAt), now, reader),
            ]}
          />
        }
      />
    ))}
  </ItemList>
);

/** The contradictions of one charge, each with a button to close it. */
export const ChargeContradictions = ({
  contradictions,
  email,
  now,
  reader,
}: { contradictions: readonly OperatorContradiction[]; email: string } & ListProps) => (
  <ItemList>
    {contradictions.map((one) => (
      <Item
        key={one.id}
        icon="warning"
        title={describeContradiction(one, reader)}
        note={<InlineList items={[one.processorRef, formatRelativeDateTime(new Date(one.raisedAt), now, reader)]} />}
        act={
          <IfAllowed action="contradiction.close">
            <CloseContradiction contradictionId={one.id} email={email} />
          </IfAllowed>
        }
      />
    ))}
  </ItemList>
);
