import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.js';
import type { UsageSum } from '../../api/console-api.js';
import { LargeMoney } from '../../components/money.js';
import { Stat } from '../../components/stat.js';
import { useCount } from '../../components/use-count.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import { showUsd } from '../../money/usd.js';
import { Compared } from './compared.js';
import { countUnclassified, REFRESH_MS, toLogPeriod, type UsagePeriod } from './usage-period.js';
import { useTotals } from './use-usage.js';

/** Figures below are shown to the last digit, larger ones shortened. */
const WHOLE_BELOW = 10_000;

/** As high as a note. */
const NO_NOTE_YET = '\u00a0';

const NOTE_LINK = 'underline underline-offset-4';

/** The sums of the period beside those of the one before; grey until they are there. */
export function OverviewFigures({ period }: { readonly period: UsagePeriod }) {
  const { overview: messages } = useMessages();
  const language = useLanguage();
  const whole = useCount();
  const { now, before, isKnown } = useTotals(period);
  const compact = new Intl.NumberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
    useGrouping: 'always',
  });
  const shorten = (figure: number) => (figure < WHOLE_BELOW ? whole(figure) : compact.format(figure));
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const [calls, errors] = [now?.calls ?? 0, now?.errors ?? 0];
  const [input, output] = [now?.input_tokens ?? 0, now?.output_tokens ?? 0];
  const cached = (sum: UsageSum) =>
    sum.input_tokens === 0 ? '–' : percent.format(sum.cached_input_tokens / sum.input_tokens);
  const ms = (time: number | null = null) => (time === null ? '–' : `${whole(time)} ms`);
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4 2xl:grid-cols-8">
      <Stat
        title={messages.spend}
        note={<Compared now={Number(now?.cost ?? 0)} before={before && Number(before.cost)} />}
      >
        {isKnown && <LargeMoney usd={now?.cost ?? '0'} />}
      </Stat>
      <Stat title={messages.calls} note={<Compared now={calls} before={before?.calls} />}>
        {isKnown && <span title={whole(calls)}>{shorten(calls)}</span>}
      </Stat>
      <Stat title={messages.tokens} note={messages.tokensSplit(shorten(input), shorten(output))}>
        {isKnown && <span title={whole(input + output)}>{shorten(input + output)}</span>}
      </Stat>
      <Stat
        title={messages.cachedShare}
        note={before && before.input_tokens > 0 ? messages.shareBefore(cached(before)) : messages.noneBefore}
      >
        {isKnown && (now ? cached(now) : '–')}
      </Stat>
      <Stat
        title={messages.errorShare}
        note={
          <ErrorLinks
            period={period}
            client={shorten(now?.client_errors ?? 0)}
            server={shorten(now?.server_errors ?? 0)}
            unclassified={now && countUnclassified(now) > 0 ? shorten(countUnclassified(now)) : undefined}
          />
        }
      >
        {isKnown && (calls === 0 ? '–' : percent.format(errors / calls))}
      </Stat>
      <Stat title={messages.latencyFigures} note={messages.ttftFigure(ms(now?.ttft_p50_ms))}>
        {isKnown && <SlowestLink period={period} p50={now?.latency_p50_ms} p95={now?.latency_p95_ms} />}
      </Stat>
      <Balance />
    </div>
  );
}

interface SlowestLinkProps {
  readonly period: UsagePeriod;
  /** In milliseconds; nothing where no call was measured. */
  readonly p50: number | null | undefined;
  readonly p95: number | null | undefined;
}

/** How long calls took; leads to those that took longest. */
function SlowestLink({ period, p50, p95 }: SlowestLinkProps) {
  const whole = useCount();
  return (
    <Link
      to="/logs"
      search={{ ...toLogPeriod(period, Date.now()), sort: 'latency' }}
      className="touch:-my-2 touch:inline-block touch:min-w-11 touch:py-2 underline-offset-4 hover:underline"
    >
      {typeof p50 === 'number' ? whole(p50) : '–'}{' '}
      {typeof p95 === 'number' && (
        <span className="text-muted text-sm font-medium whitespace-nowrap">{`/ ${whole(p95)} ms`}</span>
      )}
    </Link>
  );
}

interface ErrorLinksProps {
  readonly period: UsagePeriod;
  readonly client: string;
  readonly server: string;
  /** Those that were not told apart, where there are any. */
  readonly unclassified: string | undefined;
}

/** How many calls failed for what callers sent, and how many by providers or the gateway. Each leads to its calls. */
function ErrorLinks({ period, client, server, unclassified }: ErrorLinksProps) {
  const { overview: messages } = useMessages();
  const search = toLogPeriod(period, Date.now());
  return (
    <>
      <Link to="/logs" search={{ ...search, error_class: 'client' }} className={NOTE_LINK}>
        {messages.clientErrors(client)}
      </Link>
      {', '}
      <Link to="/logs" search={{ ...search, error_class: 'server' }} className={NOTE_LINK}>
        {messages.serverErrors(server)}
      </Link>
      {unclassified !== undefined && `, ${messages.unclassifiedErrors(unclassified)}`}
    </>
  );
}

function Balance() {
  const { overview: messages } = useMessages();
  const totals = useQuery({ ...apiQuery('/api/v1/wallets/totals'), refetchInterval: REFRESH_MS });
  const wallets = totals.data;
  // The seventh of rows of two, four and eight; of more digits than the others.
  return (
    <Stat
      title={messages.balance}
      className="col-span-2"
      note={wallets ? messages.held(showUsd(wallets.held), wallets.count) : NO_NOTE_YET}
    >
      {wallets && <LargeMoney usd={wallets.balance} />}
    </Stat>
  );
}
