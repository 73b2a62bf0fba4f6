import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Project, UsageSum } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useProjects } from '../../api/use-projects.js';
import { Breakable } from '../../components/breakable.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { moneyColumn } from '../../components/money-column.js';
import { type Column, ROW_LINK, Table } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import type { LogSearch } from '../logs/log-search.js';
import { toLogPeriod, type UsagePeriod } from './usage-period.js';
import { useUsage } from './use-usage.js';

const SHOWN = 10;

type Group = keyof typeof FILTERS;

/** The filter of the logs that leaves the calls of a sum. */
const FILTERS = {
  model: 'model',
  token: 'token_id',
  user: 'user_id',
  channel: 'channel',
  project: 'project_id',
} as const;

interface BreakdownProps {
  readonly period: UsagePeriod;
  readonly title: string;
  /** Calls of this project alone. */
  readonly project?: Project;
}

/** Who spends, and how it goes: by model, key, user, channel or project. Each leads to its calls. */
export function Breakdown({ period, title, project }: BreakdownProps) {
  const { overview: messages, detail } = useMessages();
  const [group, setGroup] = useState<Group>('model');
  const groups = useGroups(project);
  const query = { group_by: group, limit: SHOWN, project_id: project?.id };
  const answer = useUsage('/api/v1/usage', query, period);
  const sums = answer.isPlaceholderData ? undefined : answer.data?.data;
  const search = { ...toLogPeriod(period, Date.now()), project_id: project?.id };
  const columns = useSumColumns(group, sums ?? [], search);
  return (
    <Card title={title}>
      <div role="group" aria-label={title} className="mb-3 flex flex-wrap gap-1">
        {groups.map((known) => (
          <Button
            key={known}
            isSmall
            kind={known === group ? 'primary' : 'plain'}
            aria-pressed={known === group}
            onClick={() => setGroup(known)}
          >
            {messages.groups[known]}
          </Button>
        ))}
      </div>
      {sums?.length === 0 ? (
        <p className="text-muted">{detail.noCalls}</p>
      ) : (
        <Table
          caption={title}
          rows={(sums ?? []).slice(0, SHOWN)}
          keyOf={(sum) => sum.key}
          columns={columns}
        />
      )}
    </Card>
  );
}

/** What the reader may sum up by. */
function useGroups(project: Project | undefined): readonly Group[] {
  const isAdministrator = useIsAdministrator();
  const hasProjects = useProjects().length > 0;
  const seesUsers = isAdministrator || (project !== undefined && project.role !== 'member');
  return [
    'model',
    'token',
    ...(seesUsers ? (['user'] as const) : []),
    ...(isAdministrator ? (['channel'] as const) : []),
    ...(hasProjects && !project ? (['project'] as const) : []),
  ];
}

/** Figures that a small screen has no room for. */
const WIDE = { isNumber: true, hideOnSmallScreens: true } as const;

/** Writes times of one kind with their unit, a dash where there are none. */
function useTimes(): (...ms: readonly (number | null)[]) => string {
  const count = useCount();
  return (...ms) => (ms.includes(null) ? '–' : `${ms.map((time) => count(time ?? 0)).join(' / ')} ms`);
}

interface CallsLinkProps {
  readonly sum: UsageSum;
  /** What leaves the calls in the logs. */
  readonly search: LogSearch;
  readonly children: ReactNode;
}

/** A figure of a sum that leads to its calls; those without a key of the sum cannot be asked for. */
function CallsLink({ sum, search, children }: CallsLinkProps) {
  if (sum.key === '') return children;
  return (
    <Link to="/logs" search={search} className="underline-offset-4 hover:underline">
      {children}
    </Link>
  );
}

/** Writes parts of a whole, a dash where there is none. */
function useShares(): (part: number, whole: number) => string {
  const share = new Intl.NumberFormat(useLanguage(), { style: 'percent', maximumFractionDigits: 1 });
  return (part, whole) => (whole === 0 ? '–' : share.format(part / whole));
}

/** How many calls failed, and how many of them for what callers sent and how many by providers or the gateway. */
function useErrorColumns(
  searchOf: (sum: UsageSum, part: LogSearch) => LogSearch,
): readonly Column<UsageSum>[] {
  const { overview: messages } = useMessages();
  const count = useCount();
  const shareOf = useShares();
  return [
    {
      header: messages.errorShare,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: sum } }) => (
        <CallsLink sum={sum} search={searchOf(sum, { failed: 'true' })}>
          {shareOf(sum.errors, sum.calls)}
        </CallsLink>
      ),
    },
    {
      header: messages.errorClasses,
      meta: WIDE,
      cell: ({ row: { original: sum } }) => (
        <>
          <CallsLink sum={sum} search={searchOf(sum, { error_class: 'client' })}>
            {count(sum.client_errors)}
          </CallsLink>
          {' / '}
          <CallsLink sum={sum} search={searchOf(sum, { error_class: 'server' })}>
            {count(sum.server_errors)}
          </CallsLink>
        </>
      ),
    },
  ];
}

/** @param search what leaves the calls of all sums in the logs. */
function useSumColumns(
  group: Group,
  sums: readonly UsageSum[],
  search: LogSearch,
): readonly Column<UsageSum>[] {
  const { overview: messages, states } = useMessages();
  const count = useCount();
  const shareOf = useShares();
  const searchOf = (sum: UsageSum, part: LogSearch = {}): LogSearch => ({
    ...search,
    [FILTERS[group]]: sum.key,
    ...part,
  });
  const times = useTimes();
  return [
    {
      header: messages.groups[group],
      cell: ({ row: { original: sum } }) =>
        sum.key === '' ? (
          states.none
        ) : (
          <Link to="/logs" search={searchOf(sum)} className={ROW_LINK}>
            <span className="wrap-anywhere">
              <Breakable text={sum.label} />
            </span>
          </Link>
        ),
    },
    {
      header: messages.calls,
      meta: { isNumber: true },
      cell: ({ row: { original: sum } }) => count(sum.calls),
    },
    {
      header: messages.tokens,
      meta: WIDE,
      cell: ({ row: { original: sum } }) => count(sum.input_tokens + sum.output_tokens),
    },
    {
      header: messages.cachedShare,
      meta: { isNumber: true, isExtra: true },
      cell: ({ row: { original: sum } }) => shareOf(sum.cached_input_tokens, sum.input_tokens),
    },
    ...useErrorColumns(searchOf),
    {
      header: messages.latencyFigures,
      meta: WIDE,
      cell: ({ row: { original: sum } }) => times(sum.latency_p50_ms, sum.latency_p95_ms),
    },
    { header: messages.ttftP50, meta: WIDE, cell: ({ row: { original: sum } }) => times(sum.ttft_p50_ms) },
    moneyColumn(sums, { header: messages.spend, usd: (sum) => sum.cost }),
  ];
}
