import type { User } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { useMessages } from '../../messages/use-messages.js';

export function UserState({ user }: { readonly user: Pick<User, 'disabled'> }) {
  const { users: messages, states } = useMessages();
  return user.disabled ? <Badge>{states.disabled}</Badge> : <Badge tone="good">{messages.active}</Badge>;
}
