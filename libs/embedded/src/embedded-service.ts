/** A server that this process started for itself and that lives no longer than it does. */
export interface EmbeddedService {
  /** Address with its password, reachable from this machine only. */
  readonly url: string;
  /** Stops the server gracefully, then by force. May be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Where the server keeps its data and finds it again at the next start; made when missing. */
  readonly directory: string;
  /** Called with one sentence about what takes time or went wrong, for people to read. */
  readonly onProgress?: (sentence: string) => void;
}
