/** What is to be done with a line of a batch that a provider carries out, in the place of answering it. Signed with the line. */
export const NATIVE_STEP_HEADER = 'x-gateway-native-step';
/** What came of {@link PrepareStep}. */
export const NATIVE_OUTCOME_HEADER = 'x-gateway-native-outcome';

/** The one channel, key and model of a provider's batch: there are providers that take requests for one model in a batch. */
export interface NativeRoute {
  readonly channelId: string;
  /** SHA-256 of the key. */
  readonly keyFingerprint: string;
  /** The provider's name of the model. */
  readonly upstreamModel: string;
}

/** What the settlement of a line has to know of its hold. */
export interface NativeHold {
  /** Nano-dollars in digits. */
  readonly granted: string;
  readonly priceVersionId: string;
  /** Slug of the model: names may lead to another one by then. Left out by earlier versions. */
  readonly model?: string;
  /** Of input that the provider was sent, about: files that the line names are gone by then. Left out by earlier versions. */
  readonly sentTokens?: number;
}

/** Holds money for a line, and answers with what the provider is to be sent. The body is that of the line. */
export interface PrepareStep {
  readonly kind: 'prepare';
  /** Under which the line is held for, charged and logged. */
  readonly requestId: string;
  readonly batchId: string;
  /** How long the money is held at most. */
  readonly holdSeconds: number;
  /** Where a batch of this wallet is in progress. */
  readonly busy: readonly NativeRoute[];
}

/** Asks whether a line that is held for may still be sent: its key may have been disabled meanwhile. There is no body. */
export interface ConfirmStep {
  readonly kind: 'confirm';
  readonly requestId: string;
}

/** Charges a line for the provider's answer to it. The body is that of the line, and behind it the answer. */
export interface SettleStep {
  readonly kind: 'settle';
  readonly requestId: string;
  /** Of the key that made the batch. It pays although it was deleted, or has another key, by now. */
  readonly tokenId: string;
  readonly channelId: string;
  /** The provider's name of the model that answered: the channel may call another one by it now. Left out by earlier versions. */
  readonly upstreamModel?: string;
  readonly hold: NativeHold;
  /** Status of the provider's answer. */
  readonly status: number;
  /** Length of the line's body in bytes. */
  readonly requestBytes: number;
}

/** Gives back what is held for a line. The body is that of the line. */
export interface ReleaseStep {
  readonly kind: 'release';
  readonly requestId: string;
  /** Of the key that made the batch. */
  readonly tokenId: string;
  /** Where the provider may bill it all the same: nobody will know what became of it. */
  readonly lost?: Pick<SettleStep, 'channelId' | 'upstreamModel' | 'hold'>;
}

export type NativeStep = PrepareStep | ConfirmStep | SettleStep | ReleaseStep;

export type NativeOutcome =
  /** The body of the answer is what the provider is to be sent, for this path below the versioned base address. */
  | {
      readonly kind: 'native';
      readonly route: NativeRoute;
      readonly endpoint: string;
      readonly hold: NativeHold;
    }
  /** The batch that it would be part of is in progress: nothing is held. */
  | { readonly kind: 'busy'; readonly route: NativeRoute }
  /** No channel of the model carries out batches: the line is a call like any other. */
  | { readonly kind: 'none' };

/** The path of a line as it is signed: together with what is to be done with it. */
export function nameSignedPath(path: string, step: string | undefined): string {
  return step === undefined ? path : `${path} ${step}`;
}
