import { Link } from '@tanstack/react-router';
import { LINK_BUTTON } from '../components/button.js';
import { useMessages } from '../messages/use-messages.js';

/** Link to the overview, for pages that do not exist or that the reader may not see. */
export function HomeLink() {
  const { errors } = useMessages();
  return (
    <Link to="/" className={LINK_BUTTON}>
      {errors.home}
    </Link>
  );
}
