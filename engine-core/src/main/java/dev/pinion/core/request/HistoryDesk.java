package dev.pinion.core.request;

import dev.pinion.core.spi.History;
import java.util.concurrent.Executor;

/**
 * Access to the history.
 *
 * @param history the history
 * @param threads answer questions off the event loops; bounded by their provider: a rejected
 *     question is answered 503
 */
public record HistoryDesk(History history, Executor threads) {
  /** Access to an empty history, which answers at once. */
  public static final HistoryDesk NONE = new HistoryDesk(History.NONE, Runnable::run);
}
