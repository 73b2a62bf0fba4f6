import type { CallAttempt } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { usePhrases } from '../../messages/use-phrases.js';

interface AttemptTimelineProps {
  readonly attempts: readonly CallAttempt[];
  /** How long the whole call took, in milliseconds. */
  readonly callMs: number;
  /** Whether the call was given the answer of an equal one, so that nothing had to be tried. */
  readonly isRepeated: boolean;
}

/** Channels that were tried one after another, each as long as it took. */
export function AttemptTimeline({ attempts, callMs, isRepeated }: AttemptTimelineProps) {
  const { logs: messages, outcomes } = useMessages();
  const say = usePhrases();
  const count = useCount();
  if (attempts.length === 0) {
    return <p className="text-muted">{isRepeated ? messages.attemptsRepeated : messages.attemptsNone}</p>;
  }
  // Attempts that ran at the same time may have taken longer together.
  const totalMs = Math.max(
    1,
    callMs,
    attempts.reduce((sum, attempt) => sum + attempt.latency_ms, 0),
  );
  return (
    <>
      <ol className="flex flex-col gap-3">
        {attempts.map((attempt, index) => {
          const beforeMs = attempts.slice(0, index).reduce((sum, earlier) => sum + earlier.latency_ms, 0);
          const isGood = attempt.status !== null && attempt.status < 400;
          return (
            <li key={`${index} ${attempt.channel}`}>
              <div className="flex items-start justify-between gap-2">
                <span className="min-w-0 font-medium wrap-anywhere">
                  {messages.attempt(attempt.channel, Math.round(attempt.latency_ms))}
                </span>
                <span className="shrink-0">
                  <Badge tone={isGood ? 'good' : 'bad'}>
                    {`${attempt.status ?? ''} ${outcomes.attempts[attempt.outcome] ?? attempt.outcome}`.trim()}
                  </Badge>
                </span>
              </div>
              <p className="text-muted mt-0.5 text-xs wrap-anywhere">{say(attempt.reason_phrases)}</p>
              <div className="bg-raised mt-1.5 h-2 rounded-full">
                <div
                  className={`h-2 min-w-1 rounded-full ${isGood ? 'bg-series' : 'bg-bad'}`}
                  style={{
                    marginLeft: `${(beforeMs / totalMs) * 100}%`,
                    width: `${(attempt.latency_ms / totalMs) * 100}%`,
                  }}
                />
              </div>
            </li>
          );
        })}
      </ol>
      <p className="text-muted mt-1 flex justify-between text-xs tabular-nums">
        <span>0 ms</span>
        <span>{`${count(Math.round(totalMs))} ms`}</span>
      </p>
    </>
  );
}
