import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSelectedKey } from '../../api/selected-key.js';
import { usePageSettings } from '../../api/use-me.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import type { GatewayAccess } from '../../gateway/call-gateway.js';
import { useMessages } from '../../messages/use-messages.js';
import { ChatPlayground } from './chat-playground.js';
import { ImagePlayground } from './image-playground.js';
import { KeyChoice } from './key-choice.js';
import { MODES } from './playground-search.js';
import { VideoPlayground } from './video-playground.js';

export function PlaygroundView() {
  const { playground: messages } = useMessages();
  const settings = usePageSettings();
  const { mode = 'chat' } = useSearch({ from: '/signed-in/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const apiKey = useSelectedKey() ?? '';
  if (settings.error) return <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />;
  const access: GatewayAccess | undefined = settings.data && { url: settings.data.gateway_url, apiKey };
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <div role="group" aria-label={messages.title} className="flex gap-1">
          {MODES.map((name) => (
            <Button
              key={name}
              isSmall
              kind={name === mode ? 'primary' : 'plain'}
              aria-pressed={name === mode}
              onClick={() => void navigate({ search: { mode: name } })}
            >
              {messages.tabs[name]}
            </Button>
          ))}
        </div>
      </PageHeader>
      <div className="flex flex-col gap-4">
        <KeyChoice />
        {access === undefined && <Skeleton lines={6} />}
        {access && mode === 'chat' && <ChatPlayground access={access} />}
        {access && mode === 'image' && <ImagePlayground access={access} />}
        {access && mode === 'video' && <VideoPlayground access={access} />}
      </div>
    </>
  );
}
