package dev.pinion.core.spi;

import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happens around requests of clients and around calls of services: the port of handler chains.
 * For use by any thread.
 *
 * <pre>
 *   client ──▶ REQUEST_IN ──▶ process ──▶ BEFORE_CALL ──▶ service
 *   client ◀── RESPONSE_OUT ◀── process ◀── AFTER_CALL ◀── service
 * </pre>
 */
public interface Around extends ChainCatalog, AutoCloseable {
  /**
   * Field of a request by which its client names a chain. A request with it is handled whatever
   * {@link #handles} says, so that a name which does not hold is refused, never passed over.
   */
  String CHAIN_FIELD = "pinion-handlers";

  /** Every message goes on as it is; nobody asks a second time. */
  Around NOTHING =
      new Around() {
        @Override
        public boolean handles(Point point, @Nullable DefinitionKey definition) {
          return false;
        }

        @Override
        public void handle(Passage message, Continuation then) {
          then.end(new Decision.Proceed(message));
        }
      };

  /** Where on its way a message is. */
  enum Point {
    /** A request has arrived; its body has not been looked at. */
    REQUEST_IN,
    /** A service is about to be called. */
    BEFORE_CALL,
    /** A service has answered. */
    AFTER_CALL,
    /** The answer to the request of {@link #REQUEST_IN} is about to leave. */
    RESPONSE_OUT;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** What definitions and documents of chains call it. */
    public String label() {
      return label;
    }
  }

  /**
   * Whether messages may be changed or stopped there. Asked for each message before it is made, so
   * that nothing is paid where the answer is no: must be quick, and must not allocate.
   *
   * @param definition whose messages, or null when that is not known
   */
  boolean handles(Point point, @Nullable DefinitionKey definition);

  /**
   * Handles a message. Called on an event loop: must not block. Ends by one call of {@code then},
   * on this thread or another; time-outs are the handlers' own. Further calls are ignored.
   */
  void handle(Passage message, Continuation then);

  /**
   * Tells what is deployed, and by which chains of handlers the messages of each definition are to
   * go. The engine calls it once, before messages come.
   */
  default void serve(Definitions definitions) {}

  /** No chains: definitions may name none. */
  @Override
  default Map<String, String> points() {
    return Map.of();
  }

  /** What handles messages, for people and programs: a JSON array with an object for each chain. */
  default Payload describe() {
    return Payload.array(List.of());
  }

  /**
   * What is counted here as it stands now, as text of Prometheus (exposition format 0.0.4); empty
   * for nothing. Its length is bounded.
   */
  default String metrics() {
    return "";
  }

  /**
   * Reads again what handles messages. Blocks; any thread that may. The next message goes by what
   * was read, those under way by what they have begun with. Refused when a chain would be gone that
   * a deployed definition names.
   *
   * @return what is wrong with it; empty when it is in force. Else everything stays as it was
   */
  default List<Diagnostic> reload() {
    return List.of();
  }

  /** Lets go of what handles messages. The engine calls it once, after its event loops ended. */
  @Override
  default void close() {}

  /** Hears how handling ends. */
  @FunctionalInterface
  interface Continuation {
    /** Handling has ended. Must not block. */
    void end(Decision decision);
  }
}
