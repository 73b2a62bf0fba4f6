import { UpstreamFailure, type UpstreamReply } from '@mg/transport';

/** Gathers a reply's whole body. @throws UpstreamFailure when it breaks off or outgrows the limit. */
export function readWholeBody(reply: UpstreamReply, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    reply.read({
      data(chunk) {
        size += chunk.length;
        if (size > maxBytes)
          reject(new UpstreamFailure('broken', `its answer is larger than ${maxBytes} bytes`));
        else chunks.push(chunk);
      },
      end: () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
      fail: reject,
    });
  });
}
