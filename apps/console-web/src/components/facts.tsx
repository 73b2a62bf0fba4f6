import type { ReactNode } from 'react';
import { Breakable } from './breakable.js';

type Fact = readonly [name: string, value: ReactNode];

/** Names with their values, as a description list. Facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-6 gap-y-2">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words [&_time]:whitespace-normal">
              {typeof value === 'string' ? <Breakable text={value} /> : value}
            </dd>
          </div>
        ))}
    </dl>
  );
}
