import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { UsageSum } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useNames } from '../../api/use-names.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { moneyColumn } from '../../components/money-column.js';
import { type Column, Table } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import type { LogSearch } from '../logs/log-search.js';
import { toLogPeriod, type UsagePeriod } from './usage-period.js';
import { useUsage } from './use-usage.js';

const SHOWN = 10;

type Group = 'model' | 'token' | 'user' | 'channel';

/** The filter of the logs that leaves the calls of a sum. */
const FILTERS = { model: 'model', token: 'token_id', user: 'user_id', channel: 'channel' } as const;

/** Who spends, and how it goes: by model, key, user or channel. Each leads to its calls. */
export function Breakdown({ period }: { readonly period: UsagePeriod }) {
  const { overview: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const [group, setGroup] = useState<Group>('model');
  const groups: readonly Group[] = isAdministrator
    ? ['model', 'token', 'user', 'channel']
    : ['model', 'token'];
  const answer = useUsage('/api/v1/usage', { group_by: group, limit: SHOWN }, period);
  const sums = answer.isPlaceholderData ? undefined : answer.data?.data;
  const columns = useSumColumns(group, sums ?? [], period);
  return (
    <Card title={messages.bySpend}>
      <div role="group" aria-label={messages.bySpend} className="mb-3 flex flex-wrap gap-1">
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
      <Table
        caption={messages.bySpend}
        rows={(sums ?? []).slice(0, SHOWN)}
        keyOf={(sum) => sum.key}
        columns={columns}
      />
    </Card>
  );
}

function useSumColumns(
  group: Group,
  sums: readonly UsageSum[],
  period: UsagePeriod,
): readonly Column<UsageSum>[] {
  const { overview: messages, states } = useMessages();
  const count = useCount();
  const share = new Intl.NumberFormat(useLanguage(), { style: 'percent', maximumFractionDigits: 1 });
  const errors = (sum: UsageSum) => share.format(sum.errors / Math.max(1, sum.calls));
  const emailOf = useNames('/api/v1/users', group === 'user' ? sums.map((sum) => sum.key) : []);
  const nameOf = (sum: UsageSum) => (group === 'user' ? (emailOf(sum.key) ?? '') : sum.label);
  const searchOf = (sum: UsageSum, part: LogSearch = {}): LogSearch => ({
    ...toLogPeriod(period, Date.now()),
    [FILTERS[group]]: sum.key,
    ...part,
  });
  const ms = (time: number | null) => (time === null ? '–' : `${count(time)} ms`);
  return [
    {
      title: messages.groups[group],
      cell: (sum) =>
        sum.key === '' ? (
          states.none
        ) : (
          <Link
            to="/logs"
            search={searchOf(sum)}
            className="font-medium wrap-anywhere underline-offset-4 hover:underline"
          >
            {nameOf(sum)}
          </Link>
        ),
    },
    { title: messages.calls, isNumber: true, cell: (sum) => count(sum.calls) },
    {
      title: messages.tokens,
      isNumber: true,
      hideOnSmallScreens: true,
      cell: (sum) => count(sum.input_tokens + sum.output_tokens),
    },
    {
      title: messages.errorShare,
      isNumber: true,
      hideOnPhones: true,
      cell: (sum) =>
        sum.key === '' ? (
          errors(sum)
        ) : (
          <Link
            to="/logs"
            search={searchOf(sum, { failed: 'true' })}
            className="underline-offset-4 hover:underline"
          >
            {errors(sum)}
          </Link>
        ),
    },
    {
      title: messages.latencyFigures,
      isNumber: true,
      hideOnSmallScreens: true,
      cell: (sum) => `${ms(sum.latency_p50_ms)} / ${ms(sum.latency_p95_ms)}`,
    },
    { title: messages.ttftP50, isNumber: true, isExtra: true, cell: (sum) => ms(sum.ttft_p50_ms) },
    moneyColumn(sums, { title: messages.spend, usd: (sum) => sum.cost }),
  ];
}
