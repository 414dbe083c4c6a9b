package dev.pinion.core.api.port;

import dev.pinion.core.spi.History;
import java.util.concurrent.Executor;

/**
 * Access to the history.
 *
 * @param history the history
 * @param executor answer questions off the event loops; bounded by their provider: a rejected
 *     question is answered 503
 */
public record HistoryAccess(History history, Executor executor) {
  /** Access to an empty history, which answers at once. */
  public static final HistoryAccess NONE = new HistoryAccess(History.NONE, Runnable::run);
}
