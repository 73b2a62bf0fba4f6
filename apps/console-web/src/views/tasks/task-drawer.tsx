import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.js';
import type { VideoTaskWithHistory } from '../../api/console-api.js';
import { Breakable } from '../../components/breakable.js';
import { CopyButton } from '../../components/copy-button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Drawer } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { Money } from '../../components/money.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { usePhrases } from '../../messages/use-phrases.js';
import { TaskState } from './task-state.js';
import { TaskVideo } from './task-video.js';

/** A video task with everything that happened to it. */
export function TaskDrawer({ taskId, onClose }: { readonly taskId: string; readonly onClose: () => void }) {
  const { tasks: messages } = useMessages();
  const task = useQuery(apiQuery('/api/v1/tasks/{id}', { path: { id: taskId } }));
  return (
    <Drawer title={task.data?.model ?? messages.detail} onClose={onClose}>
      {task.isPending && <Skeleton lines={8} />}
      {task.error && <ErrorNotice error={task.error} onRetry={() => void task.refetch()} />}
      {task.data && <TaskDetails task={task.data} />}
    </Drawer>
  );
}

function TaskDetails({ task }: { readonly task: VideoTaskWithHistory }) {
  const { tasks: messages } = useMessages();
  const say = usePhrases();
  return (
    <>
      {task.state === 'succeeded' && <TaskVideo taskId={task.id} />}
      <Facts
        facts={[
          [messages.state, <TaskState state={task.state} />],
          [messages.error, task.error && `${task.error.code}: ${say(task.error.message_phrases)}`],
          [
            messages.id,
            <span className="inline-flex items-center gap-1">
              <code className="font-mono text-xs break-all">{task.public_id}</code>
              <CopyButton text={task.public_id} label={messages.id} />
            </span>,
          ],
          [messages.when, <Moment at={task.created_at} isAbsolute />],
          [messages.finished, task.finished_at && <Moment at={task.finished_at} isAbsolute />],
          [messages.deadline, task.finished_at === null && <Moment at={task.deadline_at} isAbsolute />],
          [messages.length, messages.lengthOf(task.seconds)],
          [messages.progress, task.progress === null ? undefined : `${task.progress}%`],
          [messages.held, <Money usd={task.amount} />],
          [messages.charged, task.charged === null ? undefined : <Money usd={task.charged} />],
          [messages.channel, task.channel],
          [messages.upstream, <Upstream task={task} />],
        ]}
      />
      <Link
        to="/logs"
        search={{ call: task.id }}
        className="text-accent touch:-my-3 touch:min-h-11 touch:min-w-11 touch:content-center self-start underline underline-offset-4"
      >
        {messages.openCall}
      </Link>
      <section>
        <h3 className="mb-3 font-semibold">{messages.history}</h3>
        <ol className="border-line flex flex-col gap-4 border-l pl-4">
          {task.history.map((event) => (
            <li key={`${event.at} ${event.state}`}>
              <div className="flex flex-wrap items-center gap-2">
                <TaskState state={event.state} />
                <span className="text-muted text-xs">
                  <Moment at={event.at} isAbsolute />
                </span>
              </div>
              {event.note !== '' && <p className="text-muted mt-1 text-xs">{say(event.note_phrases)}</p>}
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

/** What the provider knows the task by. */
function Upstream({ task }: { readonly task: VideoTaskWithHistory }) {
  const parts = [task.upstream_model, task.upstream_id].filter(Boolean);
  if (parts.length === 0) return '–';
  return (
    <code className="font-mono text-xs wrap-anywhere">
      <Breakable text={parts.join(' · ')} />
    </code>
  );
}
