import type { OpaqueBlock } from './blocks.js';
import type { EncodeContext } from './codec.js';
import { nameOpaque } from './name-opaque.js';
import { refuseContent } from './refuse.js';

/**
 * What a tool gave back is what the model waits for: none of it is left out.
 *
 * @throws GatewayError `invalid_request` for content of a result that only another protocol knows.
 */
export function refuseResultPart(part: OpaqueBlock, context: EncodeContext): never {
  return refuseContent(
    part,
    `a result of a tool holds nothing like ${JSON.stringify(nameOpaque(part))}`,
    context,
  );
}
