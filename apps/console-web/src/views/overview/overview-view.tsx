import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { api, type QueryFields } from '../../api/client.js';
import type { List, LoggedCall, UsagePoint, UsageSum } from '../../api/rows.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { FirstRun } from './first-run.js';
import { OverviewFigures } from './overview-figures.js';
import { TopModels } from './top-models.js';
import { beginOf, PERIODS, REFRESH_MS, type UsagePeriod } from './usage-period.js';

/** Charts are most of this page's script, and nobody waits for them. */
const Charts = lazy(() => import('./charts.js'));

export function OverviewView() {
  const { overview: messages } = useMessages();
  const [period, setPeriod] = useState(PERIODS[1] as UsagePeriod);
  const points = useUsage<UsagePoint>('/api/v1/usage/series', { bucket: period.bucket }, period);
  const models = useUsage<UsageSum>('/api/v1/usage', { group_by: 'model' }, period);
  const latest = useQuery({
    queryKey: ['/api/v1/logs', 'latest'],
    queryFn: () => api.get<List<LoggedCall>>('/api/v1/logs', { limit: 1 }),
  });
  const hasCalls = points.data?.some((point) => point.calls > 0) === true;
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <div role="group" aria-label={messages.period} className="flex gap-1">
          {PERIODS.map((known) => (
            <Button
              key={`${known.count} ${known.bucket}`}
              isSmall
              kind={known === period ? 'primary' : 'plain'}
              aria-pressed={known === period}
              onClick={() => setPeriod(known)}
            >
              {known.bucket === 'hour' ? messages.hours : messages.days(known.count)}
            </Button>
          ))}
        </div>
      </PageHeader>
      <div className="flex flex-col gap-4">
        {latest.data?.data.length === 0 && <FirstRun />}
        {points.error && <ErrorNotice error={points.error} onRetry={() => void points.refetch()} />}
        <OverviewFigures points={points.data} />
        {points.data && !hasCalls && (
          <Card>
            <EmptyState title={messages.emptyTitle} text={messages.emptyText}>
              <Link to="/playground" className="text-accent font-medium underline underline-offset-4">
                {messages.emptyAction}
              </Link>
            </EmptyState>
          </Card>
        )}
        {hasCalls && (
          <Suspense fallback={<Skeleton lines={8} />}>
            <Charts points={points.data ?? []} period={period} />
          </Suspense>
        )}
        {hasCalls && models.data && <TopModels models={models.data} />}
      </div>
    </>
  );
}

/** Usage of a period; what is there stays until that of another period has come. */
function useUsage<Row>(path: string, query: QueryFields, period: UsagePeriod) {
  return useQuery({
    queryKey: [path, query, period],
    queryFn: async () => {
      const from = beginOf(period, Date.now());
      return (await api.get<{ data: readonly Row[] }>(path, { ...query, from })).data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}
