import { omitUndefined } from '@mg/contract';
import type { ToolCallBlock } from '../canonical/blocks.js';
import { areArgumentsWhole, isParsed } from '../canonical/json-text.js';
import type { ToolOrigin } from '../canonical/tool-origin.js';
import { parseObject, type JsonObject } from '../json.js';
import { unwrapInput } from './caller-tools.js';

interface CallEvent {
  readonly type: string;
  readonly fields: JsonObject;
}

/** A call on its way to the client, in the form in which the client declared the tool. */
export class CallForm {
  readonly #call: ToolCallBlock;
  readonly #origin: ToolOrigin | undefined;
  #json = '';

  constructor(call: ToolCallBlock, origin: ToolOrigin | undefined) {
    this.#call = call;
    this.#origin = origin;
  }

  get isEmpty(): boolean {
    return this.#json === '';
  }

  /** The item as it begins. */
  open(nextId: (prefix: string) => string): JsonObject {
    const { id: call_id } = this.#call;
    const { kind = 'function', namespace, name = this.#call.name } = this.#origin ?? {};
    const named = omitUndefined({ status: 'in_progress', call_id, namespace, name });
    switch (kind) {
      case 'function':
        return { id: nextId('fc'), type: 'function_call', ...named, arguments: '' };
      case 'custom':
        return { id: nextId('ctc'), type: 'custom_tool_call', ...named, input: '' };
      case 'tool-search':
        return {
          id: nextId('tsc'),
          type: 'tool_search_call',
          execution: 'client',
          call_id,
          status: 'in_progress',
          arguments: {},
        };
    }
  }

  /**
   * Takes a fragment of the arguments.
   *
   * @returns the event that reports it; `undefined` where the fragments are JSON around what the client is to read.
   */
  add(item: JsonObject, json: string): string | undefined {
    this.#json += json;
    if (this.#origin !== undefined && this.#origin.kind !== 'function') return undefined;
    item.arguments = this.#json;
    return 'response.function_call_arguments.delta';
  }

  /** Completes the item. @returns the events that report it. */
  end(item: JsonObject): CallEvent[] {
    const json = this.#json;
    item.status = areArgumentsWhole(json) ? 'completed' : 'incomplete';
    switch (this.#origin?.kind) {
      case 'custom': {
        const input = unwrapInput(json);
        item.input = input;
        return [
          { type: 'response.custom_tool_call_input.delta', fields: { delta: input } },
          { type: 'response.custom_tool_call_input.done', fields: { input } },
        ];
      }
      case 'tool-search':
        item.arguments = (isParsed(json) ? parseObject(json) : undefined) ?? {};
        return [];
      default:
        return [
          {
            type: 'response.function_call_arguments.done',
            fields: { name: item.name, arguments: json },
          },
        ];
    }
  }
}
