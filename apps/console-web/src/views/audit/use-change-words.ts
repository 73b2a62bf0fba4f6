import type { AuditEntry } from '../../api/console-api.js';
import { useMessages } from '../../messages/use-messages.js';
import { describeChange } from './describe-change.js';

/** Says of changes what `describeChange` does, in the reader's language. */
export function useChangeWords(): (entry: AuditEntry) => string | undefined {
  const { projects, invitations, audit } = useMessages();
  const { roles } = projects;
  const { anybody } = invitations;
  const { removed, isNow } = audit;
  return (entry) => describeChange(entry, { roles, anybody, removed, isNow });
}
