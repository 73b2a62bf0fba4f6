import type { TotpState } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Facts } from '../../components/facts.js';
import { Moment } from '../../components/moment.js';
import { useMessages } from '../../messages/use-messages.js';

/** Whether signing in takes a code, since when, and how many recovery codes are left. */
export function FactorState({ state }: { readonly state: TotpState }) {
  const { totp: messages } = useMessages();
  if (state.enabled_at === null) return <p>{messages.off}</p>;
  return (
    <div className="flex flex-col gap-3">
      <span>
        <Badge tone="good">{messages.on}</Badge>
      </span>
      <Facts
        facts={[
          [messages.since, <Moment at={state.enabled_at} isAbsolute />],
          [messages.recoveryLeft, String(state.recovery_codes_left)],
        ]}
      />
    </div>
  );
}
