package dev.pinion.core.invoker.http;

import dev.pinion.core.model.call.HttpCall;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log of requests that were sent again, with a message at most once a minute. Single-threaded. */
final class ResendLog {
  private static final Logger LOG = LoggerFactory.getLogger(ResendLog.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private int untold;
  private boolean told;
  private long toldNanos;

  /** Records that a request is sent again. */
  void log(HttpCall call, long nowNanos) {
    untold++;
    if (told && nowNanos - toldNanos < PAUSE_NANOS) {
      return;
    }
    LOG.info(
        "{} requests were sent again, {} last: the service had closed the kept connection before"
            + " an answer came; a smaller invoker.idleTimeoutMillis avoids that",
        untold,
        call.description());
    told = true;
    toldNanos = nowNanos;
    untold = 0;
  }
}
