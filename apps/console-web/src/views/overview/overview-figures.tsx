import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.js';
import type { UsagePoint } from '../../api/console-api.js';
import { LargeMoney } from '../../components/money.js';
import { Stat } from '../../components/stat.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import { showUsd, sumUsd } from '../../money/usd.js';
import { REFRESH_MS } from './usage-period.js';

/** The sums of the period; grey until they are there. */
export function OverviewFigures({ points }: { readonly points: readonly UsagePoint[] | undefined }) {
  const { overview: messages } = useMessages();
  const language = useLanguage();
  const wallets = useQuery({
    ...apiQuery('/api/v1/wallets/totals'),
    refetchInterval: REFRESH_MS,
  }).data;
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const count = (of: (point: UsagePoint) => number) =>
    points?.reduce((sum, point) => sum + of(point), 0) ?? 0;
  const calls = count((point) => point.calls);
  const errors = count((point) => point.errors);
  const inputTokens = count((point) => point.input_tokens);
  const outputTokens = count((point) => point.output_tokens);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-5">
      <Stat title={messages.spend}>
        {points && <LargeMoney usd={sumUsd(points.map((point) => point.cost))} />}
      </Stat>
      <Stat title={messages.calls}>{points && compact.format(calls)}</Stat>
      <Stat
        title={messages.tokens}
        note={messages.tokensSplit(compact.format(inputTokens), compact.format(outputTokens))}
      >
        {points && compact.format(inputTokens + outputTokens)}
      </Stat>
      <Stat title={messages.errorShare} note={messages.errorCount(errors)}>
        {points && percent.format(calls === 0 ? 0 : errors / calls)}
      </Stat>
      <Stat title={messages.balance} note={wallets && messages.held(showUsd(wallets.held), wallets.count)}>
        {wallets && <LargeMoney usd={wallets.balance} />}
      </Stat>
    </div>
  );
}
