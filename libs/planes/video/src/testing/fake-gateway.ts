import { newId } from '@mg/contract';
import type { BatchCall, NativeHold, NativeRoute, NativeStep } from '@mg/transport';

/** What is held for each line. */
export const HOLD: NativeHold = { granted: '1000', priceVersionId: newId() };

/** A gateway that holds and settles whatever a worker asks for, and remembers it. */
export class FakeGateway {
  readonly steps: NativeStep[] = [];
  /** Bodies of calls that were no steps. */
  readonly calls: string[] = [];
  /** Status by which the key of the lines is refused, once it is disabled. */
  refusesWith: 401 | undefined;
  /** Waited for before a line is settled. */
  beforeSettling: () => Promise<void> = async () => undefined;

  /**
   * @param route where all lines are sent.
   * @param endpoint path of their requests, below the versioned base address.
   */
  constructor(
    private readonly route: NativeRoute,
    private readonly endpoint: string,
  ) {}

  async send({ step, body }: BatchCall) {
    const answer = { status: 200, requestId: 'call', retryAfterSeconds: undefined, bytes: Buffer.from('{}') };
    if (!step) {
      this.calls.push(String(body));
      return { ...answer, status: this.refusesWith ?? answer.status };
    }
    this.steps.push(step);
    if (step.kind === 'confirm') return { ...answer, status: this.refusesWith ?? 204 };
    if (step.kind === 'release') return { ...answer, status: 204 };
    if (step.kind === 'settle') {
      await this.beforeSettling();
      const bytes = Buffer.from(body).subarray(step.requestBytes);
      return { ...answer, status: step.status, requestId: step.requestId, bytes };
    }
    const { route, endpoint } = this;
    const isBusy = step.busy.some(({ channelId }) => channelId === route.channelId);
    if (isBusy) return { ...answer, native: { kind: 'busy', route } as const };
    const native = { kind: 'native', route, endpoint, hold: HOLD } as const;
    return { ...answer, bytes: Buffer.from(body), native };
  }

  async close() {}

  of<Kind extends NativeStep['kind']>(kind: Kind) {
    return this.steps.filter((step): step is Extract<NativeStep, { kind: Kind }> => step.kind === kind);
  }
}
