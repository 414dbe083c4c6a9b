package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.AsyncHandler;

/** A reply that also receives the time of the handler in its host. */
interface TimedReply extends AsyncHandler.Reply {
  /** Receives the time of the handler; called before the verdict. */
  void handledIn(long nanos);
}
