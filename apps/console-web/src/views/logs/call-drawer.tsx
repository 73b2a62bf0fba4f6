import type { LoggedCall } from '../../api/console-api.js';
import { useLoggedCall } from '../../api/use-logged-call.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { Breakable } from '../../components/breakable.js';
import { CopyButton } from '../../components/copy-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Drawer } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { Skeleton } from '../../components/skeleton.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { usePhrases } from '../../messages/use-phrases.js';
import { AttemptTimeline } from './attempt-timeline.js';
import { CostExplanation } from './cost-explanation.js';
import { StatusBadge } from './status-badge.js';

/** The outcome of a call that the response cache answered. */
const REPEATED = 'cached';

interface CallDrawerProps {
  readonly requestId: string;
  readonly onClose: () => void;
}

/** A call: what it cost and why, and what was tried for it. */
export function CallDrawer({ requestId, onClose }: CallDrawerProps) {
  const { logs: messages } = useMessages();
  const call = useLoggedCall(requestId);
  return (
    <Drawer title={call.data?.model || messages.detail} onClose={onClose}>
      {call.isPending && <Skeleton lines={8} />}
      {call.error && <ErrorNotice error={call.error} onRetry={() => void call.refetch()} />}
      {call.data && <CallDetails call={call.data} />}
    </Drawer>
  );
}

function CallDetails({ call }: { readonly call: LoggedCall }) {
  const { logs: messages, states, errors, outcomes } = useMessages();
  const isAdministrator = useIsAdministrator();
  const say = usePhrases();
  const count = useCount();
  const { ttft_ms: ttftMs, usage } = call;
  const toText = (value: string | number | undefined) =>
    typeof value === 'number' && value !== 0 ? count(value) : value || undefined;
  const used = Object.entries(messages.usageNames)
    .map(([meter, name]) => [name, toText(usage[meter as keyof typeof messages.usageNames])] as const)
    .filter(([, figure]) => figure !== undefined);
  return (
    <>
      <Facts
        facts={[
          [messages.status, <StatusBadge call={call} />],
          [messages.when, <Moment at={call.created_at} isAbsolute />],
          [messages.endpoint, <code className="font-mono text-xs">{call.endpoint}</code>],
          [messages.token_id, call.token_name],
          [messages.channel, call.channel],
          [messages.latency, `${count(call.latency_ms)} ms`],
          [messages.stream, call.stream ? states.yes : states.no],
          [messages.ttft, ttftMs === null ? undefined : `${count(ttftMs)} ms`],
          [messages.askedModel, call.asked_model],
          [messages.errorMessage, say(call.error_phrases) || undefined],
          [messages.reason, outcomes.reasons[call.reason] ?? call.reason],
          [
            errors.requestId,
            <span className="inline-flex items-center gap-1">
              <code className="wrap-anywhere font-mono text-xs">
                <Breakable text={call.request_id} />
              </code>
              <CopyButton text={call.request_id} label={errors.requestId} />
            </span>,
          ],
        ]}
      />
      <section>
        <h3 className="mb-2 font-semibold">{messages.costTitle}</h3>
        <CostExplanation call={call} />
        <PriceVersion call={call} />
      </section>
      {used.length > 0 && (
        <section>
          <h3 className="mb-2 font-semibold">{messages.usage}</h3>
          <Facts facts={used} />
        </section>
      )}
      {isAdministrator && (
        <section>
          <h3 className="mb-3 font-semibold">{messages.attempts}</h3>
          <AttemptTimeline
            attempts={call.attempts}
            callMs={call.latency_ms}
            isRepeated={call.reason === REPEATED}
          />
        </section>
      )}
    </>
  );
}

/** Names the price that explains the call, as the model's price history does. */
function PriceVersion({ call }: { readonly call: LoggedCall }) {
  const { logs: messages } = useMessages();
  if (call.price_version === null) return null;
  return (
    <p className="text-muted mt-2 text-xs">
      {messages.priceVersion}{' '}
      <code className="font-mono break-all" data-testid="price-version">
        {call.price_version}
      </code>
    </p>
  );
}
