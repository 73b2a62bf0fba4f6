import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/answer.js';
import { useLoggedCall } from '../../api/use-logged-call.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Money } from '../../components/money.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';

interface CallOutcomeProps {
  readonly gatewayUrl: string;
  readonly error: unknown;
  readonly requestId: string | undefined;
  /** USD, where it is known with the answer. */
  readonly cost?: string | undefined;
}

/** What a call came to: why it was refused, what it cost, and where it stands in the logs. */
export function CallOutcome({ gatewayUrl, error, requestId, cost }: CallOutcomeProps) {
  const { playground: messages, logs } = useMessages();
  const count = useCount();
  // Of a key of somebody else's there is none to see.
  const { data: call } = useLoggedCall(requestId);
  const shownCost = cost ?? call?.cost;
  const { input_tokens: input = 0, output_tokens: output = 0 } = call?.usage ?? {};
  if (error instanceof ApiError && error.code === 'unreachable') {
    return (
      <p role="alert" className="bg-bad-soft text-bad rounded-lg px-4 py-3">
        {messages.unreachable(gatewayUrl)}
      </p>
    );
  }
  return (
    <>
      {error !== null && error !== undefined && <ErrorNotice error={error} />}
      {requestId !== undefined && (
        <p className="text-muted flex flex-wrap items-center gap-3 text-xs">
          {shownCost !== undefined && (
            <span>
              {messages.cost} <Money usd={shownCost} />
            </span>
          )}
          {input + output > 0 && <span>{`${logs.tokens} ${count(input)} / ${count(output)}`}</span>}
          {call && <span>{`${logs.latency} ${count(call.latency_ms)} ms`}</span>}
          <Link to="/logs" search={{ call: requestId }} className="text-accent underline underline-offset-4">
            {messages.seeLog}
          </Link>
        </p>
      )}
    </>
  );
}
