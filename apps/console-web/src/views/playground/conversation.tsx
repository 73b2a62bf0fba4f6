import { useMessages } from '../../messages/use-messages.js';
import type { ChatMessage } from './use-chat.js';

interface ConversationProps {
  readonly messages: readonly ChatMessage[];
  readonly isRunning: boolean;
}

export function Conversation({ messages, isRunning }: ConversationProps) {
  const { playground } = useMessages();
  if (messages.length === 0) return <p className="text-muted py-10 text-center">{playground.emptyChat}</p>;
  return (
    <div role="log" aria-busy={isRunning} className="flex flex-col gap-4">
      {messages.map((message, index) => (
        <article key={index} className={message.role === 'user' ? 'bg-raised rounded-xl p-3' : 'px-3'}>
          <h2 className="text-muted mb-1 text-xs font-medium">
            {message.role === 'user' ? playground.you : playground.assistant}
          </h2>
          {message.thinking !== undefined && message.thinking !== '' && (
            <details className="text-muted mb-2 text-xs">
              <summary className="touch:py-3">{playground.thinking}</summary>
              <p className="mt-1 whitespace-pre-wrap">{message.thinking}</p>
            </details>
          )}
          <p className="leading-6 break-words whitespace-pre-wrap">
            {message.content}
            {isRunning && index === messages.length - 1 && (
              <span
                aria-hidden="true"
                className="bg-accent ml-0.5 inline-block h-4 w-1.5 animate-pulse align-text-bottom"
              />
            )}
          </p>
        </article>
      ))}
    </div>
  );
}
