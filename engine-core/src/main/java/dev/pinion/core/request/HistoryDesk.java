package dev.pinion.core.request;

import dev.pinion.core.spi.History;
import java.util.concurrent.Executor;

/**
 * Where questions about the past are answered.
 *
 * @param history what is known of it
 * @param threads answer questions off the event loops; bounded by whoever provides them: a question
 *     that is rejected is answered 503
 */
public record HistoryDesk(History history, Executor threads) {
  /** Knows nothing, at once. */
  public static final HistoryDesk NONE = new HistoryDesk(History.NONE, Runnable::run);
}
