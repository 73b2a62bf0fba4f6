import type { System } from '../../api/console-api.js';
import { Stat } from '../../components/stat.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { showUsd, sumUsd } from '../../money/usd.js';

/** What waits, what is held, and whether the ledger balances. */
export function SystemFigures({ system }: { readonly system: System }) {
  const { health: messages, tasks } = useMessages();
  const count = useCount();
  const holds = system.open_holds.reduce((sum, hold) => sum + hold.count, 0);
  const held = showUsd(sumUsd(system.open_holds.map((hold) => hold.amount)));
  const states = Object.entries(system.tasks).map(
    ([state, waiting]) => `${tasks.states[state] ?? state} ${count(waiting)}`,
  );
  const running = Object.values(system.tasks).reduce((sum, count) => sum + count, 0);
  const describeBacklog = ({ count: waiting, oldest_seconds: seconds }: System['journal']) =>
    waiting === 0 ? undefined : messages.oldest(seconds);
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-5">
      <Stat title={messages.holds} note={messages.held(held)}>
        {count(holds)}
      </Stat>
      <Stat title={messages.journal} note={describeBacklog(system.journal)}>
        {count(system.journal.count)}
      </Stat>
      <Stat
        title={messages.drift}
        note={system.drift_rows === null ? messages.driftUnknown : messages.driftUnit}
      >
        <span className={system.drift_rows ? 'text-bad' : ''}>
          {system.drift_rows === null ? '–' : count(system.drift_rows)}
        </span>
      </Stat>
      <Stat title={messages.tasks} note={states.join(', ')}>
        {count(running)}
      </Stat>
      <Stat title={messages.webhooks} className="max-lg:col-span-2" note={describeBacklog(system.webhooks)}>
        {count(system.webhooks.count)}
      </Stat>
    </div>
  );
}
