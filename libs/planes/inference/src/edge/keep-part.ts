import type { Readable } from 'node:stream';
import { joinInSlices } from '@mg/contract';
import type { StoredFile } from '@mg/protocols';
import type { BodyLease } from './body-budget.js';
import { isHeavy, nextTurn } from './loop-turns.js';
import { HEAD_BYTES, type Spool, type SpooledFile } from './spool.js';

/** Where the bytes of a form are kept. */
export interface FormRoom {
  /** What the call holds of memory: every byte that was received, but for those that were spooled. */
  readonly lease: BodyLease;
  readonly spool: Spool;
}

export interface KeptPart {
  /** Beyond it a file goes to the spool. */
  readonly maxBytesInMemory: number;
  /** Called once, with the file's first bytes or all of it; throws when it is not what it should be. */
  checkHead(head: Buffer): void;
}

/**
 * Keeps a file of a form as it comes in: a small one in memory, a large one in the spool, at the pace of the disk.
 *
 * @throws what `checkHead` throws, as soon as the first bytes are there, and GatewayError when the spool has no room.
 */
export async function keepPart(
  file: Readable,
  { maxBytesInMemory, checkHead }: KeptPart,
  { lease, spool }: FormRoom,
): Promise<Buffer | StoredFile> {
  const chunks: Buffer[] = [];
  let held = 0;
  let checked = false;
  let spooled: SpooledFile | undefined;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    held += chunk.length;
    if (!checked && held >= HEAD_BYTES) {
      checkHead(Buffer.concat(chunks));
      checked = true;
    }
    if (!spooled && held <= maxBytesInMemory) continue;
    spooled ??= await spool.createFile(lease);
    for (const bytes of chunks.splice(0)) await spooled.append(bytes);
    lease.giveBack(held);
    held = 0;
  }
  if (spooled) return spooled;
  const whole = isHeavy(held) ? await joinInSlices(chunks, nextTurn) : Buffer.concat(chunks);
  if (!checked) checkHead(whole);
  return whole;
}
