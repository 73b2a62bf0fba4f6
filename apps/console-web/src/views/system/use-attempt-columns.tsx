import type { RowData } from '@tanstack/react-table';
import { Breakable } from '../../components/breakable.js';
import { Moment } from '../../components/moment.js';
import type { Column } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import { usePhrases } from '../../messages/use-phrases.js';
import { type AttemptFigures, cutShare, type Span } from './attempt-spans.js';

const NOTHING = '–';

/** Columns of what attempts in a span of time say of a row; nothing while its figures are not known. */
export function useAttemptColumns<Row extends RowData>(
  span: Span,
  figuresOf: (row: Row) => AttemptFigures | undefined,
): Readonly<Record<'attempts' | 'success' | 'latency' | 'firstToken' | 'lastFailure', Column<Row>>> {
  const { attempts: messages, health } = useMessages();
  const count = useCount();
  const language = useLanguage();
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const toTimes = (p50: number | null | undefined, p95: number | null | undefined) =>
    typeof p50 === 'number' && typeof p95 === 'number' ? `${count(p50)} / ${count(p95)} ms` : NOTHING;
  return {
    attempts: {
      header: messages.attempts,
      meta: { hideOnPhones: true },
      cell: ({ row: { original: row } }) => {
        const figures = figuresOf(row)?.[span];
        return (
          figures && (
            <span className="whitespace-nowrap">
              {health.attempts(count(figures.served), count(figures.failed))}
            </span>
          )
        );
      },
    },
    success: {
      header: messages.success,
      meta: { isNumber: true },
      cell: ({ row: { original: row } }) => {
        const figures = figuresOf(row)?.[span];
        const share = figures?.success_share ?? null;
        return (
          <>
            {share === null ? NOTHING : percent.format(cutShare(share))}
            <NarrowTimes figures={figures} />
          </>
        );
      },
    },
    latency: {
      header: messages.latency,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: row } }) => {
        const figures = figuresOf(row)?.[span];
        return toTimes(figures?.p50_ms, figures?.p95_ms);
      },
    },
    firstToken: {
      header: messages.firstToken,
      meta: { isNumber: true, hideOnSmallScreens: true },
      cell: ({ row: { original: row } }) => {
        const figures = figuresOf(row)?.[span];
        return toTimes(figures?.ttft_p50_ms, figures?.ttft_p95_ms);
      },
    },
    lastFailure: {
      header: health.lastFailure,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: row } }) => (
        <div className="min-h-8 content-center w-[clamp(7rem,40cqw_-_13rem,32rem)]">
          <LastFailure failure={figuresOf(row)?.last_failure} />
        </div>
      ),
    },
  };
}

/** Below the share of success where there is no column of these. */
function NarrowTimes({ figures }: { readonly figures: AttemptFigures[Span] | undefined }) {
  const count = useCount();
  if (typeof figures?.p50_ms !== 'number' || typeof figures.p95_ms !== 'number') return null;
  return (
    <span className="text-muted block text-xs whitespace-nowrap @sm:hidden">
      <span className="block">{`p50 ${count(figures.p50_ms)} ms`}</span>
      <span className="block">{`p95 ${count(figures.p95_ms)} ms`}</span>
    </span>
  );
}

/** When an attempt failed last, and how; nearly whole where it cannot be hovered on. */
export function LastFailure({ failure }: { readonly failure: AttemptFigures['last_failure'] | undefined }) {
  const say = usePhrases();
  if (!failure) return <span className="text-muted @max-4xl:hidden">{NOTHING}</span>;
  const said = say(failure.reason_phrases);
  return (
    <span
      title={withStatus(said, failure.status)}
      className="touch:line-clamp-6 line-clamp-6 text-xs text-pretty wrap-anywhere @4xl:line-clamp-3"
    >
      <Moment at={failure.at} />
      {' · '}
      <span className="text-muted">
        <Breakable text={withStatus(said, failure.status)} />
      </span>
    </span>
  );
}

/** Most reasons name the status already. */
function withStatus(said: string, status: number | null): string {
  return status === null || said.includes(String(status)) ? said : `${status} ${said}`;
}
