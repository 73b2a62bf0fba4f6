import { omitUndefined } from '@mg/contract';
import { digestId, isObject, type JsonObject } from '@mg/protocols';

const OWN_ID = /^[a-zA-Z0-9]{9}$/;
const ID_LENGTH = 9;

/** Calls `seed` by Mistral's name for it, and gives calls of other providers ids of the only form that it takes. */
export function adaptToMistral(body: JsonObject): JsonObject {
  const { seed, ...rest } = body;
  return {
    ...rest,
    ...omitUndefined({
      messages: Array.isArray(rest.messages) ? rest.messages.map(adaptMessage) : undefined,
      random_seed: seed,
    }),
  };
}

function adaptMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { tool_call_id: id, tool_calls: calls } = message;
  return {
    ...message,
    ...omitUndefined({
      tool_call_id: typeof id === 'string' ? adaptId(id) : undefined,
      tool_calls: Array.isArray(calls)
        ? calls.map((call: unknown) =>
            isObject(call) && typeof call.id === 'string' ? { ...call, id: adaptId(call.id) } : call,
          )
        : undefined,
    }),
  };
}

/** The same id always becomes the same, so that a result still finds its call. */
function adaptId(id: string): string {
  return OWN_ID.test(id) ? id : digestId(id).slice(0, ID_LENGTH);
}
