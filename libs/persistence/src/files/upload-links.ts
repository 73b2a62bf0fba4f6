import { openSecret, SecretError, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

/** The upload that a link is for, and the key that it was made with. */
export interface LinkedUpload {
  readonly keyHash: string;
  readonly uploadId: string;
}

const PLACE = 'upload link';

/** Links to uploads for clients that send their content without a key: each is good for one upload of the key that began it. */
export class UploadLinks {
  constructor(private readonly key: SecretKey) {}

  /** A text for a URL. */
  seal({ keyHash, uploadId }: LinkedUpload): string {
    return sealSecret(`${keyHash} ${uploadId}`, PLACE, this.key);
  }

  /** `undefined` for what was sealed with a key that is gone, and for what was altered. */
  open(sealed: string): LinkedUpload | undefined {
    try {
      const [keyHash = '', uploadId = ''] = openSecret(sealed, PLACE, this.key).split(' ');
      return { keyHash, uploadId };
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  }
}
