import type { Budget, Token } from '../../api/console-api.js';
import { Money } from '../../components/money.js';
import { useMessages } from '../../messages/use-messages.js';
import { UsedBar } from '../limits/used-bar.js';
import { findUsedShare } from '../limits/used-share.js';

/** What a key has spent, above a bar of whatever of it is nearest to its end: the limit or a budget. */
export function TokenUse({ token, budgets }: { readonly token: Token; readonly budgets: readonly Budget[] }) {
  const { tokens: messages, limits } = useMessages();
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
  return (
    <div className="flex flex-col items-end gap-1">
      <Money usd={token.used} />
      {nearest && <UsedBar {...nearest} />}
    </div>
  );
}
