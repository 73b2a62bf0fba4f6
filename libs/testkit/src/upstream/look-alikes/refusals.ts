import { isObject, type Json, listObjects, readText } from '../json.js';
import { type Refusal, refuse } from '../request.js';

/** Refuses turns of other roles than those of the first years. */
export function refuseNewRoles(body: Json): Refusal | undefined {
  const known = ['system', 'user', 'assistant', 'tool'];
  const turns = listObjects(body['messages']);
  const at = turns.findIndex((turn) => !known.includes(readText(turn['role'])));
  return at < 0
    ? undefined
    : refuse(
        `Failed to deserialize the JSON body into the target type: messages[${at}].role: unknown variant ` +
          `\`${readText(turns[at]?.['role'])}\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\``,
      );
}

/** Refuses JSON by a schema, and plain JSON that the prompt does not speak of. */
export function refuseSchemas(body: Json): Refusal | undefined {
  const format = isObject(body['response_format']) ? body['response_format']['type'] : undefined;
  if (format === 'json_schema') return refuse('This response_format type is unavailable now');
  return format === 'json_object' && !/json/i.test(JSON.stringify(body['messages']))
    ? refuse(
        "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
      )
    : undefined;
}

/** Refuses images, as servers of models do that only read. */
export function refuseImages(body: Json): Refusal | undefined {
  const turns = listObjects(body['messages']);
  const at = turns.findIndex((turn) =>
    listObjects(turn['content']).some((part) => part['type'] === 'image_url'),
  );
  return at < 0
    ? undefined
    : refuse(
        `Failed to deserialize the JSON body into the target type: messages[${at}]: unknown variant ` +
          '`image_url`, expected `text`',
      );
}

/** Refuses a loop of calls that lacks the reasoning it began with. */
export function refuseMissingReasoning(body: Json): Refusal | undefined {
  const turns = listObjects(body['messages']);
  const lastQuestion = turns.findLastIndex((turn) => turn['role'] === 'user');
  const at = turns.findIndex(
    (turn, index) =>
      index > lastQuestion && Array.isArray(turn['tool_calls']) && readText(turn['reasoning_content']) === '',
  );
  return at < 0
    ? undefined
    : refuse(
        `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`,
      );
}

/** Refuses system turns anywhere but at the start. */
export function refuseLateSystem(body: Json): Refusal | undefined {
  const at = listObjects(body['messages']).findLastIndex((turn) => turn['role'] === 'system');
  return at > 0 ? refuse('System message must be at the beginning.') : undefined;
}

/** The first refusal of several. */
export function refuseAny(
  ...refusals: readonly ((body: Json) => Refusal | undefined)[]
): (body: Json) => Refusal | undefined {
  return (body) => {
    for (const check of refusals) {
      const refusal = check(body);
      if (refusal) return refusal;
    }
    return undefined;
  };
}

/** Whether `thinking` says so, as it does unless it is told otherwise. */
export function reasonsUnlessDisabled(body: Json): boolean {
  return !isObject(body['thinking']) || body['thinking']['type'] !== 'disabled';
}
