import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { useModels } from '../../api/use-models.js';
import { TextField } from '../../components/form-fields.js';
import { required, wholeNumber } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { callGateway, type GatewayAccess } from '../../gateway/call-gateway.js';
import { useMessages } from '../../messages/use-messages.js';
import { MediaForm } from './media-form.js';
import { useStarter } from './use-starter.js';

const PATH = '/v1/video/generations';
const POLL_MS = 1_500;
const DEFAULT_SECONDS = '5';
const MOST_SECONDS = 120;

const schema = z.object({ model: z.string(), prompt: required, seconds: wholeNumber(1, MOST_SECONDS) });

interface VideoAnswer {
  readonly task_id: string;
  readonly status: string;
  readonly video_url?: string;
  readonly error?: { readonly message?: string } | null;
  readonly _gateway?: { readonly request_id?: string; readonly cost?: string | number };
}

export function VideoPlayground({ access }: { readonly access: GatewayAccess }) {
  const { playground: messages } = useMessages();
  const models = useModels('video');
  const order = useMutation({ mutationFn: (sent: object) => callGateway<VideoAnswer>(access, PATH, sent) });
  const form = useApiForm({
    schema,
    texts: { model: '', prompt: messages.videoStart, seconds: DEFAULT_SECONDS },
    send: async () => {
      await order.mutateAsync(body);
    },
  });
  useStarter(form, messages.videoStart);
  const model = form.read('model') || models?.find((slug) => !slug.includes('native')) || models?.[0] || '';
  const body = { model, prompt: form.read('prompt'), duration: Number(form.read('seconds')) };
  return (
    <MediaForm
      form={form}
      prompt={form.field('prompt')}
      access={access}
      mode="video"
      path={PATH}
      body={body}
      models={models}
      promptLabel={messages.videoPrompt}
      outcome={order.data}
      onModel={(slug) => form.write('model', slug)}
      options={<TextField {...form.field('seconds')} label={messages.seconds} inputMode="numeric" />}
    >
      {order.data && <VideoResult access={access} taskId={order.data.body.task_id} />}
    </MediaForm>
  );
}

/** Asks for a task until it is done, and shows its video. */
function VideoResult({ access, taskId }: { readonly access: GatewayAccess; readonly taskId: string }) {
  const { playground: messages } = useMessages();
  const task = useQuery({
    queryKey: ['gateway', 'video', taskId],
    queryFn: async () => (await callGateway<VideoAnswer>(access, `${PATH}/${taskId}`)).body,
    refetchInterval: ({ state }) =>
      ['completed', 'failed'].includes(state.data?.status ?? '') ? false : POLL_MS,
  });
  const { status = '', video_url: videoUrl, error } = task.data ?? {};
  return (
    <div className="flex w-full flex-col items-center gap-3">
      {videoUrl !== undefined && (
        <>
          <video src={videoUrl} controls className="max-h-80 max-w-full rounded-xl" />
          <a
            href={videoUrl}
            target="_blank"
            rel="noreferrer"
            className="font-mono text-xs break-all underline"
          >
            {videoUrl}
          </a>
        </>
      )}
      <p className={error ? 'text-bad' : 'text-muted'}>{error?.message ?? messages.videoState(status)}</p>
      <Link to="/tasks" className="text-accent text-xs underline underline-offset-4">
        {messages.seeTask}
      </Link>
    </div>
  );
}
