import type { CallerToken } from '@mg/contract';
import { type BatchWriter, type CapturedBody, sealBody, type SecretKey } from '@mg/persistence/gateway';
import { type CapturableBody, CapturedCall } from './captured-call.js';

/** Rows that wait at most: while the database is away bodies are left out, for nobody is charged by them. */
const MOST_PENDING = 200;

/** What a key may have kept. */
interface BodyAllowance {
  /** @returns `undefined` when it has had its share for the moment. */
  take(tokenId: string): number | undefined;
}

/** Keeps bodies of calls whose keys have been set to it, sealed as channel keys are. */
export class BodyCapture {
  constructor(
    private readonly writer: Pick<BatchWriter<CapturedBody>, 'add' | 'pending'>,
    private readonly allowance: BodyAllowance,
    private readonly secretKey: SecretKey,
  ) {}

  /** @returns what keeps the bodies of a call; `undefined` for every call but those of keys that are set to it. */
  begin({ id, capture }: CallerToken, body: CapturableBody): CapturedCall | undefined {
    if (capture === undefined) return undefined;
    if (capture.until !== undefined && capture.until <= Date.now()) return undefined;
    if (this.writer.pending >= MOST_PENDING || this.allowance.take(id) === undefined) return undefined;
    return new CapturedCall(body);
  }

  /** Writes what was kept. Never blocks and never fails the call. */
  end(captured: CapturedCall, { id, capture }: CallerToken, requestId: string): void {
    if (capture === undefined) return;
    const expiresAt = new Date(Date.now() + capture.seconds * 1_000);
    for (const { text, ...body } of captured.end()) {
      const sealed = sealBody(text, { requestId, part: body.part }, this.secretKey);
      this.writer.add({ ...body, requestId, tokenId: id, expiresAt, sealed });
    }
  }
}
