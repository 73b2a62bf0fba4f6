import type { Budget, Token } from '../../api/console-api.js';
import { Money } from '../../components/money.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import { parseUsd, showUsd } from '../../money/usd.js';
import { UsedBar } from '../limits/used-bar.js';
import { findUsedShare } from '../limits/used-share.js';

interface TokenUseProps {
  readonly token: Token;
  readonly budgets: readonly Budget[];
  /** Says below the bar how much it may be; elsewhere the share alone. */
  readonly isNamed?: boolean;
}

/** What a key has spent, above a bar of whatever of it is nearest to its end: the limit or a budget. */
export function TokenUse({ token, budgets, isNamed = false }: TokenUseProps) {
  const { tokens: messages, limits } = useMessages();
  const percent = new Intl.NumberFormat(useLanguage(), { style: 'percent', maximumFractionDigits: 1 });
  const quota = token.spending_quota;
  const bounds = [
    ...(quota === null ? [] : [{ label: messages.quota, used: token.used, amount: quota, isReached: false }]),
    ...budgets.map(({ period, spent, amount, state }) => ({
      label: limits.periods[period],
      used: spent,
      amount,
      isReached: state === 'reached',
    })),
  ];
  const nearest = bounds.toSorted(
    (left, right) =>
      Number(right.isReached) - Number(left.isReached) ||
      findUsedShare(right.used, right.amount) - findUsedShare(left.used, left.amount),
  )[0];
  // Nothing at all is no whole to take a share of.
  const sayShare = ({ used, amount }: { readonly used: string; readonly amount: string }) =>
    parseUsd(amount) === 0n ? showUsd(amount) : percent.format(findUsedShare(used, amount) / 100);
  return (
    <div className={`flex flex-col gap-1 ${isNamed ? 'w-fit items-start' : 'items-end'}`}>
      <Money usd={token.used} />
      {nearest && <UsedBar {...nearest} />}
      {nearest && !isNamed && (
        <span className="text-muted text-xs whitespace-nowrap">
          {`${nearest.label} ${sayShare(nearest)}`}
        </span>
      )}
      {nearest && isNamed && (
        <span className="text-muted text-xs">
          {nearest.label} <span className="tabular-nums">{showUsd(nearest.amount)}</span>
        </span>
      )}
    </div>
  );
}
