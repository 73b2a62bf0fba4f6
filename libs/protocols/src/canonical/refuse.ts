import { GatewayError } from '@mg/contract';
import type { EncodeContext } from './codec.js';
import { nameField } from './name-field.js';
import { placeOf } from './places.js';

/** Deepest nesting of a body that is read: beyond it, reading would exhaust the stack. */
const MAX_DEPTH = 128;

/** @throws GatewayError `invalid_request`: `param` as the caller knows it, and what is wrong with it. */
export function refuseField(param: string, problem: string): never {
  throw new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}

/** What a refusal says of the channel, and whose names of fields it uses. */
type ChannelContext = Pick<EncodeContext, 'channelType'> & Partial<Pick<EncodeContext, 'client'>>;

/** @throws GatewayError `invalid_request`: what was asked has no counterpart in the channel's protocol. */
export function refuseForChannel(field: string, problem: string, context: ChannelContext): never {
  const param = nameField(field, context.client);
  throw new GatewayError(
    'invalid_request',
    `${param} cannot be used with a channel of type ${context.channelType}: ${problem}.`,
    { param },
  );
}

/** @throws GatewayError `invalid_request` that points to where in the request the content stood. */
export function refuseContent(content: object, problem: string, context: ChannelContext): never {
  return refuseForChannel(placeOf(content, 'messages'), problem, context);
}

/** @throws GatewayError `invalid_request`: nothing of the conversation is left that could be sent. */
export function refuseEmpty({ client }: Partial<Pick<EncodeContext, 'client'>>): never {
  return refuseField(nameField('messages', client), 'hold no text, media or tool result');
}

/** @throws GatewayError `upstream_error` with what an upstream said, or sent that could not be read. */
export function throwUpstreamError(message: string): never {
  throw new GatewayError('upstream_error', message);
}

/** Values of which it is known, without looking through them, that they are not too deep. */
const SHALLOW = new WeakSet<object>();

/** Notes how deep a value is that was measured while it was scanned. */
export function noteDepth(root: object, depth: number): void {
  if (depth <= MAX_DEPTH) SHALLOW.add(root);
}

/** Whether a JSON value nests more levels of arrays and objects than any client has reason to send. */
export function isTooDeep(root: unknown): boolean {
  if (typeof root === 'object' && root !== null && SHALLOW.has(root)) return false;
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const member of Object.values(value)) {
        if (typeof member === 'object' && member !== null) next.push(member);
      }
    }
    level = next;
  }
  return false;
}
