import { Fragment } from 'react';
import { splitName } from './split-name.js';

/** In letters of the Latin script. A longer part may break anywhere: it alone could be wider than a phone. */
const LONGEST_WHOLE = 16;
const HAN = /\p{Script=Han}/gu;

/** A name, slug or address that breaks between its parts where a line is too short for it, and keeps each of them whole. */
export function Breakable({ text }: { readonly text: string }) {
  let at = 0;
  return splitName(text).map((part) => {
    at += part.length;
    return (
      <Fragment key={at}>
        {at > part.length && <wbr />}
        <span className={measure(part) <= LONGEST_WHOLE ? 'whitespace-nowrap' : undefined}>{part}</span>
      </Fragment>
    );
  });
}

/** A Chinese character is as wide as two letters. */
function measure(part: string): number {
  return part.length + (part.match(HAN)?.length ?? 0);
}
