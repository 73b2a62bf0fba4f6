import type { System } from '../../api/console-api.js';
import { Badge, type Tone } from '../../components/badge.js';
import { useMessages } from '../../messages/use-messages.js';

type State = System['channels'][number]['state'];

const TONES: Readonly<Record<State, Tone>> = {
  disabled: 'plain',
  failing: 'bad',
  degraded: 'warn',
  idle: 'plain',
  healthy: 'good',
};

export function ChannelState({ state }: { readonly state: State }) {
  const { health: messages } = useMessages();
  return (
    <span title={messages.stateTexts[state]}>
      <Badge tone={TONES[state]}>{messages.states[state]}</Badge>
    </span>
  );
}
