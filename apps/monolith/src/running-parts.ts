import type { Logger } from '@mg/runtime';

interface Part {
  close(): Promise<void>;
}

/** Everything that has been started, to be closed in reverse: who uses another goes before it. */
export class RunningParts {
  private readonly parts: Part[] = [];

  constructor(private readonly logger: Logger) {}

  async add<P extends Part>(starting: P | Promise<P>): Promise<P> {
    const part = await starting;
    this.parts.push(part);
    return part;
  }

  /** One part that cannot be closed properly keeps none of the others open. */
  async close(): Promise<void> {
    for (let part = this.parts.pop(); part !== undefined; part = this.parts.pop()) {
      try {
        await part.close();
      } catch (error) {
        this.logger.error({ err: error }, 'a part could not be closed properly');
      }
    }
  }
}
