import { type AttemptFigures, type Histogram, quantileOf, readPhrases } from '@mg/contract';
import type { ChannelRow, RecentAttempts } from '@mg/persistence/console';
import type { z } from 'zod';
import type { attemptsSchema } from './attempt-schemas.js';
import { deriveChannelState } from './channel-state.js';

type ChannelView = z.output<typeof attemptsSchema>['channels'][number];
type SpanView = ChannelView['hour'];

/** Parts of a channel that a process leaves out for the time being. */
export interface RestingPart {
  readonly model: string;
  /** `undefined` where it is the channel, whatever the key. */
  readonly key: string | undefined;
}

/** How a channel's attempts went: all of them, and by model and key. */
export function toAttemptsView(
  { id, name, enabled }: Pick<ChannelRow, 'id' | 'name' | 'enabled'>,
  parts: readonly RecentAttempts[],
  resting: readonly RestingPart[],
): ChannelView {
  const isLeftOut = resting.some(({ key }) => key === undefined);
  return {
    channel_id: id,
    channel: name,
    ...describe(parts.length === 0 ? undefined : sumAttempts(parts), enabled, isLeftOut),
    parts: parts.map((part) => {
      const { model, key } = part.day;
      const isResting = resting.some(
        (rest) => rest.model === model && (rest.key === undefined || rest.key === key),
      );
      return { model, key: key === '' ? null : key, ...describe(part, enabled, isResting) };
    }),
  };
}

function describe(attempts: RecentAttempts | undefined, enabled: boolean, isResting: boolean) {
  const last = attempts?.day.lastFailure;
  const { hour = NONE, day = NONE } = attempts ?? {};
  const judged = attempts && { hour, day, lastFailure: undefined };
  return {
    state: deriveChannelState({ enabled, isResting, attempts: judged }),
    hour: toSpan(hour),
    day: toSpan(day),
    last_failure: last
      ? {
          at: last.at.toISOString(),
          status: last.status ?? null,
          reason: last.reason,
          reason_phrases: readPhrases(last.reason),
        }
      : null,
  };
}

type Span = Pick<AttemptFigures, 'served' | 'failed' | 'wholeMs' | 'firstMs'>;

const NONE: Span = { served: 0, failed: 0, wholeMs: [], firstMs: [] };

function toSpan({ served, failed, wholeMs, firstMs }: Span): SpanView {
  const asked = served + failed;
  return {
    served,
    failed,
    success_share: asked === 0 ? null : served / asked,
    p50_ms: quantileOf(wholeMs, 0.5) ?? null,
    p95_ms: quantileOf(wholeMs, 0.95) ?? null,
    ttft_p50_ms: quantileOf(firstMs, 0.5) ?? null,
    ttft_p95_ms: quantileOf(firstMs, 0.95) ?? null,
  };
}

function sumAttempts(parts: readonly RecentAttempts[]): RecentAttempts {
  return { hour: sumFigures(parts.map(({ hour }) => hour)), day: sumFigures(parts.map(({ day }) => day)) };
}

function sumFigures(figures: readonly AttemptFigures[]): AttemptFigures {
  const failures = figures.flatMap(({ lastFailure }) => lastFailure ?? []);
  return {
    channelId: figures[0]?.channelId ?? '',
    model: '',
    key: '',
    served: figures.reduce((sum, { served }) => sum + served, 0),
    failed: figures.reduce((sum, { failed }) => sum + failed, 0),
    wholeMs: sumHistograms(figures.map(({ wholeMs }) => wholeMs)),
    firstMs: sumHistograms(figures.map(({ firstMs }) => firstMs)),
    lastFailure: failures.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0],
  };
}

function sumHistograms(histograms: readonly Histogram[]): Histogram {
  const length = Math.max(0, ...histograms.map((histogram) => histogram.length));
  return Array.from({ length }, (_, index) => histograms.reduce((sum, one) => sum + (one[index] ?? 0), 0));
}
