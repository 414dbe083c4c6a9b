package dev.pinion.core.spi;

import dev.pinion.core.model.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions to what instances did. Acknowledged changes survive any crash. Methods block; any
 * thread that may.
 */
public interface Subscriptions {
  /** No subscriptions. */
  Subscriptions NONE =
      new Subscriptions() {
        @Override
        public Payload subscription(Payload wish) throws HistoryUnavailableException {
          throw none();
        }

        @Override
        public @Nullable Payload find(String id) throws HistoryUnavailableException {
          throw none();
        }

        @Override
        public List<Payload> list() throws HistoryUnavailableException {
          throw none();
        }

        @Override
        public @Nullable Payload change(String id, Payload changes)
            throws HistoryUnavailableException {
          throw none();
        }

        @Override
        public boolean delete(String id) throws HistoryUnavailableException {
          throw none();
        }

        private static HistoryUnavailableException none() {
          return new HistoryUnavailableException(
              "results are published from the history, and none is kept here; start the engine with"
                  + " --history");
        }
      };

  /**
   * Creates a subscription.
   *
   * @param wish document of the client
   * @return the subscription
   * @throws InvalidSubscriptionException when it is not possible
   */
  Payload subscription(Payload wish)
      throws InvalidSubscriptionException, HistoryUnavailableException;

  /** A subscription with its state, or null when there is none or it has expired. */
  @Nullable Payload find(String id) throws HistoryUnavailableException;

  /** All subscriptions that have not expired, by id. */
  List<Payload> list() throws HistoryUnavailableException;

  /**
   * Renews a subscription and changes it.
   *
   * @param changes members to replace; null removes one
   * @return the subscription, or null when there is none or it has expired
   * @throws InvalidSubscriptionException when that is not possible; it stays unchanged
   */
  @Nullable Payload change(String id, Payload changes)
      throws InvalidSubscriptionException, HistoryUnavailableException;

  /**
   * Ends a subscription.
   *
   * @return whether there was one
   */
  boolean delete(String id) throws HistoryUnavailableException;

  /** Refusal of a subscription or its change. */
  final class InvalidSubscriptionException extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable String limit;

    /** An invalid document; the message says what was expected and found. */
    public InvalidSubscriptionException(String message) {
      super(message);
      this.limit = null;
    }

    private InvalidSubscriptionException(String message, String limit) {
      super(message);
      this.limit = limit;
    }

    /** A refusal because of a limit. */
    public static InvalidSubscriptionException atLimit(String limit) {
      return new InvalidSubscriptionException("the limit " + limit + " is reached", limit);
    }

    /** The exceeded limit, or null for another reason. */
    public @Nullable String limit() {
      return limit;
    }
  }
}
