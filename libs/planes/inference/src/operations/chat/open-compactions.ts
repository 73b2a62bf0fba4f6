import { type CallerToken, GatewayError } from '@mg/contract';
import type { ConversationMemory } from '@mg/protocols';
import type { GatewayContext } from '../../call/gateway-context.js';
import { nextTurn } from '../../edge/loop-turns.js';

/** Longer ones were not sealed here: no model writes so long a summary. */
const MAX_SEALED_CHARACTERS = 1024 * 1024;

/**
 * Items of a conversation with summaries in the place of the compactions that this gateway made.
 *
 * @throws GatewayError `invalid_request` for one that is another wallet's, was altered, or was sealed with a key that is gone.
 */
export async function openCompactions(
  items: readonly unknown[],
  memory: ConversationMemory,
  { walletId }: CallerToken,
  compactions: GatewayContext['compactions'],
): Promise<readonly unknown[]> {
  const opened: unknown[] = [];
  for (const item of items) {
    const sealed = memory.readCompaction(item);
    if (sealed === undefined) {
      opened.push(item);
      continue;
    }
    await nextTurn();
    const summary = sealed.length > MAX_SEALED_CHARACTERS ? undefined : compactions?.open(walletId, sealed);
    if (summary === undefined) throw refuseUnreadable();
    opened.push(memory.writeSummary(summary));
  }
  return opened;
}

function refuseUnreadable(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'input holds a compaction item that cannot be read here: it was made for another wallet, or too long ago.',
    { param: 'input' },
  );
}
