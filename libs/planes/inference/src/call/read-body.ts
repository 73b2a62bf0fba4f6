import { type JsonObject, type JsonShape, parseAnswerInSlices, parseObject } from '@mg/protocols';
import { UpstreamFailure, type UpstreamReply } from '@mg/transport';
import { GatheredBytes } from '../edge/gathered-bytes.js';
import { isLarge, nextTurn, ReadingPace } from '../edge/loop-turns.js';

/**
 * Gathers a reply's whole body.
 *
 * @param count called for every piece that comes; what it throws ends the reading.
 * @throws UpstreamFailure when it breaks off or outgrows the limit.
 */
export async function readWholeBody(
  reply: UpstreamReply,
  maxBytes: number,
  count?: (bytes: number) => void,
): Promise<Buffer> {
  return (await gatherChunks(reply, maxBytes, count)).join();
}

/** A JSON answer as it came, and parsed where it is an object. */
export interface JsonBody {
  readonly bytes: Buffer;
  readonly parsed: JsonObject | undefined;
}

/** A JSON answer that has come in and has not been read yet. */
export interface ReceivedJson {
  readonly length: number;
  /** Parses it, in steps where it is large. */
  read(): JsonBody | Promise<JsonBody>;
}

/**
 * Gathers a JSON answer.
 *
 * @param shape watches the answer while it comes in: one that holds more values than any answer has is none.
 * @throws UpstreamFailure when it breaks off or outgrows the limit, and what `count` throws.
 */
export async function receiveJson(
  reply: UpstreamReply,
  maxBytes: number,
  count: (bytes: number) => void,
  shape: JsonShape,
): Promise<ReceivedJson> {
  const gathered = await gatherChunks(reply, maxBytes, count, shape);
  return {
    length: gathered.length,
    read() {
      const joined = gathered.join();
      if (joined instanceof Promise || isLarge(gathered.length, shape.parts)) {
        return parseLarge(joined, shape);
      }
      return { bytes: joined, parsed: parseObject(joined.toString('utf8')) };
    },
  };
}

async function parseLarge(joining: Buffer | Promise<Buffer>, shape: JsonShape): Promise<JsonBody> {
  const bytes = await joining;
  return { bytes, parsed: await parseAnswerInSlices(bytes, shape.end(), nextTurn, shape.flatBytes) };
}

function gatherChunks(
  reply: UpstreamReply,
  maxBytes: number,
  count: (bytes: number) => void = () => undefined,
  shape?: JsonShape,
): Promise<GatheredBytes> {
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes();
    const pace = new ReadingPace();
    let isRefused = false;
    const take = (chunk: Buffer): Promise<void> | undefined => {
      try {
        if (gathered.length + chunk.length > maxBytes) {
          throw new UpstreamFailure('broken', `its answer is larger than ${maxBytes} bytes`);
        }
        if (shape?.push(chunk) === false) {
          throw new UpstreamFailure('broken', 'its answer holds more values than any answer has');
        }
        count(chunk.length);
        gathered.add(chunk);
        return pace.count(chunk.length);
      } catch (error) {
        isRefused = true;
        gathered.clear();
        reject(error as Error);
        return undefined;
      }
    };
    reply.read({
      data(chunk) {
        if (isRefused) return undefined;
        const room = pace.waitFor(chunk.length);
        const turn = room ? room.then(() => take(chunk)) : take(chunk);
        if (!turn) return undefined;
        reply.pause();
        return turn.then(() => reply.resume());
      },
      end: () => resolve(gathered),
      fail: reject,
    });
  });
}
