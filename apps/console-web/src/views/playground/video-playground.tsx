import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useModels } from '../../api/use-models.js';
import { Field, TextInput } from '../../components/field.js';
import { callGateway, type GatewayAccess } from '../../gateway/call-gateway.js';
import { useMessages } from '../../messages/use-messages.js';
import { MediaForm } from './media-form.js';

const PATH = '/v1/video/generations';
const POLL_MS = 1_500;
const DEFAULT_SECONDS = 5;

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
  const [chosen, setChosen] = useState<string>();
  const [prompt, setPrompt] = useState(messages.videoStart);
  const [seconds, setSeconds] = useState(DEFAULT_SECONDS);
  const model = chosen ?? models?.find((slug) => !slug.includes('native')) ?? models?.[0] ?? '';
  const body = { model, prompt, duration: seconds };
  const order = useMutation({ mutationFn: () => callGateway<VideoAnswer>(access, PATH, body) });
  return (
    <MediaForm
      access={access}
      mode="video"
      path={PATH}
      body={body}
      models={models}
      promptLabel={messages.videoPrompt}
      making={order}
      onModel={setChosen}
      onPrompt={setPrompt}
      options={
        <Field label={messages.seconds}>
          <TextInput
            type="number"
            min={1}
            max={60}
            value={seconds}
            onChange={(event) => setSeconds(event.target.valueAsNumber || DEFAULT_SECONDS)}
          />
        </Field>
      }
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
