import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import { callApi } from '../../api/client.js';
import type { AnswerOf, QueryOf } from '../../api/routes.js';
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
  const series = useUsage('/api/v1/usage/series', { bucket: period.bucket }, period);
  const points = series.data?.data;
  const models = useUsage('/api/v1/usage', { group_by: 'model' }, period).data?.data;
  const latest = useQuery(apiQuery('/api/v1/logs', { query: { limit: 1 } }));
  const hasCalls = points?.some((point) => point.calls > 0) === true;
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
        {series.error && <ErrorNotice error={series.error} onRetry={() => void series.refetch()} />}
        <OverviewFigures points={points} />
        {points && !hasCalls && (
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
            <Charts points={points ?? []} period={period} />
          </Suspense>
        )}
        {hasCalls && models && <TopModels models={models} />}
      </div>
    </>
  );
}

/** Usage of a period; what is there stays until that of another period has come. */
function useUsage<P extends '/api/v1/usage' | '/api/v1/usage/series'>(
  path: P,
  query: QueryOf<P>,
  period: UsagePeriod,
) {
  return useQuery({
    queryKey: [path, query, period],
    queryFn: () =>
      callApi<AnswerOf<P, 'get'>>('GET', path, { query: { ...query, from: beginOf(period, Date.now()) } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}
