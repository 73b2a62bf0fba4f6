import { GatewayError } from '@mg/contract';

/** Says of a file of Google's API what Google says, of unknown ones and of those of others alike. */
export function refuseGoogleFile(param: string): GatewayError {
  const message = 'You do not have permission to access the File or it may not exist.';
  return new GatewayError('forbidden', message, { param });
}
