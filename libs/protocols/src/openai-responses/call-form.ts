import { omitUndefined } from '@mg/contract';
import { readCallInSlices, type ReadCall } from '../canonical/arguments-in-slices.js';
import type { ToolCallBlock } from '../canonical/blocks.js';
import { isCallWhole, isParsed, readRaw, STEP_CHARACTERS } from '../canonical/json-text.js';
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
  /** What is known of the arguments, where they were read in steps. */
  #read: ReadCall;

  constructor(call: ToolCallBlock, origin: ToolOrigin | undefined) {
    this.#call = call;
    this.#read = call;
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

  /** Reads long arguments in steps before the item is completed. @param pause is waited for between two steps. */
  async read(pause: () => Promise<void>): Promise<void> {
    if (this.#json.length <= STEP_CHARACTERS) return;
    const takesObjects = (this.#origin?.kind ?? 'function') !== 'function';
    this.#read = await readCallInSlices(this.#json, pause, { takesObjects });
    await pause();
  }

  /** Completes the item. @returns the events that report it. */
  end(item: JsonObject): CallEvent[] {
    const json = this.#json;
    item.status = isCallWhole({ ...this.#read, arguments: json }) ? 'completed' : 'incomplete';
    switch (this.#origin?.kind) {
      case 'custom': {
        const input = unwrapInput(json, this.#read.input);
        item.input = input;
        return [
          { type: 'response.custom_tool_call_input.delta', fields: { delta: input } },
          { type: 'response.custom_tool_call_input.done', fields: { input } },
        ];
      }
      case 'tool-search':
        item.arguments = readSearch(json, this.#read.input);
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

/** The arguments of a search; none where they are no JSON object, or more than is parsed. */
function readSearch(json: string, input: JsonObject | undefined): JsonObject {
  if (input) return readRaw(input) === json ? {} : input;
  return (isParsed(json) ? parseObject(json) : undefined) ?? {};
}
