import type { JsonObject } from '../json.js';
import type { Block, Extensions, ProtocolName } from './blocks.js';
import type { EncodeContext } from './codec.js';
import { refuseForChannel } from './refuse.js';
import type { CanonicalRequest } from './request.js';
import type { Steps } from './steps.js';

/**
 * A block that other protocols see as text, kept as it stood in its own: `ext[protocol][VERBATIM]` is the whole raw
 * block, which its own encoder gives back instead of the emulation.
 */
export const VERBATIM = 'verbatim';

/**
 * Names everything that stands in the `ext` of other protocols than `home`, all over a request: hints are recorded as
 * dropped, and what would change the meaning is refused.
 *
 * @throws GatewayError
 */
export function* reportForeignExtensions(
  request: CanonicalRequest,
  home: ProtocolName,
  context: EncodeContext,
): Steps<void> {
  for (const [protocol, fields] of foreignOf(request.ext, home)) {
    for (const [field, value] of Object.entries(fields)) {
      if (isBinding(protocol, field, value, context)) {
        refuseForChannel(field, 'it knows nothing like it', context);
      }
      context.dropped.add(field);
    }
  }
  for (const tool of request.tools) report(tool.ext, home, context);
  for (const turn of request.turns) {
    yield;
    report(turn.ext, home, context);
    for (const block of turn.blocks) reportBlock(block, home, context);
  }
}

/** The request came in the client's protocol: no other can have left fields in it that mean something. */
function isBinding(
  protocol: ProtocolName,
  field: string,
  value: unknown,
  { client: { name, bindingFields } }: EncodeContext,
): boolean {
  return protocol === name && Object.hasOwn(bindingFields, field) && bindingFields[field]?.(value) === true;
}

function reportBlock(block: Block, home: ProtocolName, context: EncodeContext): void {
  if (block.type === 'opaque') return;
  report(block.ext, home, context);
  if (block.type === 'tool-result') {
    for (const part of block.content) reportBlock(part, home, context);
  }
  if (block.type === 'text' && block.citations?.length) context.dropped.add('citations');
}

function report(ext: Extensions | undefined, home: ProtocolName, context: EncodeContext): void {
  if (ext === undefined) return;
  for (const [, fields] of foreignOf(ext, home)) {
    for (const field of Object.keys(fields)) {
      if (field !== VERBATIM) context.dropped.add(field);
    }
  }
}

function foreignOf(ext: Extensions, home: ProtocolName): [ProtocolName, JsonObject][] {
  return (Object.entries(ext) as [ProtocolName, JsonObject][]).filter(([protocol]) => protocol !== home);
}
