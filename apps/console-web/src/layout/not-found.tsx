import { PageHeader } from '../components/page-header.js';
import { useMessages } from '../messages/use-messages.js';
import { HomeLink } from './home-link.js';

export function NotFound() {
  const { errors } = useMessages();
  return (
    <>
      <PageHeader title={errors.notFoundTitle} text={errors.notFoundText} />
      <HomeLink />
    </>
  );
}
