package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.AsyncHandler;

/** Who is also told how long the handler took in its host. */
interface TimedReply extends AsyncHandler.Reply {
  /** The handler itself took so long; comes before the verdict. */
  void handledIn(long nanos);
}
