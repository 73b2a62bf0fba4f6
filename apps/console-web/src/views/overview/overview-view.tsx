import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import { Button, LINK_BUTTON } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { Breakdown } from './breakdown.js';
import { FirstRun } from './first-run.js';
import { OverviewFigures } from './overview-figures.js';
import { CHARTS } from './start-overview.js';
import { FIRST_PERIOD, PERIODS } from './usage-period.js';
import { useUsage } from './use-usage.js';

export function OverviewView() {
  const { overview: messages } = useMessages();
  const [period, setPeriod] = useState(FIRST_PERIOD);
  const series = useUsage('/api/v1/usage/series', { bucket: period.bucket }, period);
  const points = series.data?.data;
  const hasCalls = points !== undefined && points.some((point) => point.calls > 0);
  const Charts = useQuery({ ...CHARTS, throwOnError: hasCalls }).data?.default;
  const latest = useQuery({
    ...apiQuery('/api/v1/logs', { query: { limit: 1 } }),
    enabled: points !== undefined && !hasCalls,
  });
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
        {series.error && <ErrorNotice error={series.error} onRetry={() => void series.refetch()} />}
        <OverviewFigures period={period} />
        {/* In the place of the charts: above the figures it would push them down. */}
        {points &&
          !hasCalls &&
          !latest.isPending &&
          (latest.data?.data.length === 0 ? <FirstRun /> : <NoCalls />)}
        {hasCalls && !Charts && <Skeleton lines={8} />}
        {hasCalls && Charts && (
          <>
            <Charts points={points} period={period} />
            {/* Below the charts from the first: they would push it down. */}
            <Breakdown period={period} title={messages.bySpend} />
          </>
        )}
      </div>
    </>
  );
}

/** The period has no calls, but one before had. */
function NoCalls() {
  const { overview: messages } = useMessages();
  return (
    <Card>
      <EmptyState title={messages.emptyTitle} text={messages.emptyText}>
        <Link to="/playground" className={LINK_BUTTON}>
          {messages.emptyAction}
        </Link>
      </EmptyState>
    </Card>
  );
}
