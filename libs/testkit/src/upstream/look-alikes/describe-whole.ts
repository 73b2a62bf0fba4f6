import { omitUndefined } from '@mg/contract';
import { joinPieces } from '../answer.js';
import type { AnswerContext } from '../dialects/dialect.js';
import type { Json } from '../json.js';
import type { LookAlike } from './look-alike.js';

/** An answer that is not streamed. */
export function describeWhole(lookAlike: LookAlike, { answer, identity, billed }: AnswerContext): Json {
  const [choice] = answer.choices;
  const calls = (choice?.toolCalls ?? []).map(({ id, name, fragments }, index) =>
    lookAlike.describeCall({ index, id, name, arguments: joinPieces(fragments) }),
  );
  const text = calls.length > 0 ? null : joinPieces(choice?.text ?? []);
  const message = {
    role: 'assistant',
    ...lookAlike.describeMessage(joinPieces(choice?.reasoning ?? []), text),
    ...omitUndefined({ tool_calls: calls.length > 0 ? calls : undefined }),
  };
  return {
    id: identity.id,
    object: 'chat.completion',
    created: identity.created,
    model: identity.model,
    choices: [{ index: 0, message, finish_reason: choice?.finishReason ?? 'stop' }],
    usage: lookAlike.describeUsage(billed),
  };
}
