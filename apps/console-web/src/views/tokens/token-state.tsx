import type { Budget, Token } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { useMessages } from '../../messages/use-messages.js';
import { isExhausted } from './is-exhausted.js';

interface TokenStateProps {
  readonly token: Token;
  /** Its budgets, where they are known. */
  readonly budgets?: readonly Budget[];
}

export function TokenState({ token, budgets = [] }: TokenStateProps) {
  const { states } = useMessages();
  if (token.disabled) return <Badge>{states.disabled}</Badge>;
  if (token.expires_at !== null && Date.parse(token.expires_at) <= Date.now()) {
    return <Badge tone="warn">{states.expired}</Badge>;
  }
  if (isExhausted(token)) return <Badge tone="warn">{states.exhausted}</Badge>;
  if (budgets.some(({ state }) => state === 'reached')) {
    return <Badge tone="warn">{states.budgetReached}</Badge>;
  }
  const { former_key_until: until } = token;
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone="good">{states.active}</Badge>
      {until !== null && Date.parse(until) > Date.now() && <Badge tone="warn">{states.formerWorks}</Badge>}
    </span>
  );
}
