import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { LargeMoney } from '../../components/money.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { Stat } from '../../components/stat.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { ShareOfSpend } from './share-of-spend.js';
import { beginOfDays, WASTE_PERIODS, type WasteDays } from './waste-period.js';
import { WasteTable } from './waste-table.js';

const REFRESH_MS = 30_000;

/** What our own retries, broken streams and lost calls cost us upstream, by channel and reason. */
export function WasteView() {
  const { waste: messages, overview } = useMessages();
  const count = useCount();
  const [days, setDays] = useState<WasteDays>(WASTE_PERIODS[0]);
  const { data: waste, ...query } = useQuery({
    queryKey: ['/api/v1/waste', days],
    queryFn: () =>
      callApi<AnswerOf<'/api/v1/waste', 'get'>>('GET', '/api/v1/waste', {
        query: { from: beginOfDays(days, Date.now()) },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <div role="group" aria-label={overview.period} className="flex gap-1">
          {WASTE_PERIODS.map((known) => (
            <Button
              key={known}
              isSmall
              kind={known === days ? 'primary' : 'plain'}
              aria-pressed={known === days}
              onClick={() => setDays(known)}
            >
              {overview.days(known)}
            </Button>
          ))}
        </div>
      </PageHeader>
      <div className="flex flex-col gap-4">
        {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Stat title={messages.cost} note={messages.costNote}>
            {waste && <LargeMoney usd={waste.total.cost} />}
          </Stat>
          <Stat title={messages.share} note={<span className="whitespace-normal">{messages.shareNote}</span>}>
            {waste && <ShareOfSpend sum={waste.total} />}
          </Stat>
          <Stat title={messages.calls}>{waste && count(waste.total.calls)}</Stat>
          <Stat title={overview.spend}>{waste && <LargeMoney usd={waste.total.spend} />}</Stat>
        </div>
        <Card title={messages.byChannel}>
          {query.isPending && <Skeleton lines={6} />}
          {waste?.data.length === 0 && <EmptyState title={messages.emptyTitle} text={messages.emptyText} />}
          {waste && waste.data.length > 0 && <WasteTable rows={waste.data} days={days} />}
        </Card>
      </div>
    </>
  );
}
