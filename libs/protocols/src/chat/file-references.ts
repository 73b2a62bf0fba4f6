import type { GatewayError } from '@mg/contract';
import type { JsonObject } from '../json.js';

/** A file of the gateway's own store that a request names. */
export interface FileReference {
  readonly id: string;
  /** Where the request names it, in the client's words. */
  readonly param: string;
}

/** What stands in a request in the place of a reference. */
export interface FileContent {
  readonly mimeType: string;
  readonly filename: string;
  readonly base64: string;
  /** The content as UTF-8, for protocols that have texts stand in a request as such. */
  readonly text: string;
}

/** How the requests of a protocol name files that were sent before. */
export interface FileReferences {
  /**
   * The request with content in the place of files.
   *
   * @param base address of the gateway as its callers reach it, which names of files may begin with.
   * @param contentOf is asked for each file of ours; `undefined` leaves the reference as it is.
   * @returns the very same object where nothing was replaced.
   */
  replace(
    request: JsonObject,
    base: string,
    contentOf: (file: FileReference) => FileContent | undefined,
  ): JsonObject;
  /** The same for a file that there is not and for one of another wallet. */
  refuse(file: FileReference): GatewayError;
}

/** Ids that the gateway makes up: those of providers are shorter. */
const OWN_ID = /^(?:file[-_])?[0-9a-f]{32}$/;

export function isOwnFileId(id: string): boolean {
  return OWN_ID.test(id);
}

/** Whether a request names one of our files by this. */
export function isOwnFile(id: unknown): id is string {
  return typeof id === 'string' && isOwnFileId(id);
}
