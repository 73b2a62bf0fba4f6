import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/empty-state.js';
import { useMessages } from '../messages/use-messages.js';

export function NotFound() {
  const { errors } = useMessages();
  return (
    <EmptyState title={errors.notFoundTitle} text={errors.notFoundText} isPage>
      <Link
        to="/"
        className="text-accent touch:min-h-11 touch:min-w-11 touch:content-center font-medium underline"
      >
        {errors.home}
      </Link>
    </EmptyState>
  );
}
