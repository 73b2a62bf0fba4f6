import type { JsonShape } from '@mg/protocols';
import { UpstreamFailure, type UpstreamReply } from '@mg/transport';

/**
 * Gathers a reply's whole body.
 *
 * @param count told of every piece that comes; what it throws ends the reading.
 * @param shape for a body that is to be parsed: one that would take long for its shape is no answer.
 * @throws UpstreamFailure when it breaks off or outgrows the limit.
 */
export function readWholeBody(
  reply: UpstreamReply,
  maxBytes: number,
  count: (bytes: number) => void = () => undefined,
  shape?: JsonShape,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    reply.read({
      data(chunk) {
        size += chunk.length;
        try {
          if (size > maxBytes) {
            throw new UpstreamFailure('broken', `its answer is larger than ${maxBytes} bytes`);
          }
          if (shape?.push(chunk) === false) {
            throw new UpstreamFailure('broken', 'its answer holds more values than any answer has');
          }
          count(chunk.length);
          chunks.push(chunk);
        } catch (error) {
          chunks.length = 0;
          reject(error as Error);
        }
      },
      end: () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
      fail: reject,
    });
  });
}
