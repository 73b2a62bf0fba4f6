import { newId } from '@mg/contract';
import type { Actor } from '../audit/record-change.js';

/** Who changes what the configuration file names. Nobody was signed in: whoever may write the file may do so. */
export function toFileActor(): Actor {
  return { id: null, email: 'configuration file', requestId: newId(), address: '' };
}
