package dev.pinion.core.interception;

import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.DefinitionCatalog;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Interception of requests of clients and of calls of services: the port of handler chains. For use
 * by any thread.
 *
 * <pre>
 *   client ──▶ REQUEST_IN ──▶ process ──▶ BEFORE_CALL ──▶ service
 *   client ◀── RESPONSE_OUT ◀── process ◀── AFTER_CALL ◀── service
 * </pre>
 */
public interface Interceptor extends ChainCatalog, AutoCloseable {
  /**
   * Request header by which a client names a chain. A request with it is handled even where {@link
   * #handles} is false, so that an invalid name is refused and never skipped.
   */
  String CHAIN_FIELD = "pinion-handlers";

  /** No handlers: every message proceeds unchanged. */
  Interceptor NONE =
      new Interceptor() {
        @Override
        public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
          return false;
        }

        @Override
        public void handle(HttpMessage message, Continuation then) {
          then.end(new InterceptionVerdict.Proceed(message));
        }
      };

  /**
   * Whether messages may be changed or stopped at a point. Called for each message before it is
   * made, so that there is no cost where the answer is no: must be quick, and must not allocate.
   *
   * @param definition definition of the messages, or null when that is not known
   */
  boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition);

  /**
   * Handles a message. Called on an event loop: must not block. Ends by one call of {@code then},
   * on this thread or another; handlers enforce their own timeouts. Further calls are ignored.
   */
  void handle(HttpMessage message, Continuation then);

  /**
   * Passes on the deployed definitions, and with them the chains of handlers for the messages of
   * each. The engine calls it once, before messages come.
   */
  default void serve(DefinitionCatalog definitionCatalog) {}

  /** No chains: definitions may name none. */
  @Override
  default Map<String, String> points() {
    return Map.of();
  }

  /**
   * Description of the handlers, for people and programs: a JSON array with an object for each
   * chain.
   */
  default Payload describe() {
    return Payload.array(List.of());
  }

  /** Adds the present metrics, if there are any. Their number is bounded. Any thread. */
  default void addMetrics(MetricFamilies families) {}

  /**
   * Reads the configuration of the handlers again. Blocks; any thread that may. New messages use
   * it, those in progress continue with the old one. Refused when it lacks a chain that a deployed
   * definition names.
   *
   * @return its problems; empty when it is in force. Otherwise nothing changes
   */
  default List<Diagnostic> reload() {
    return List.of();
  }

  /** Closes the handlers. The engine calls it once, after its event loops ended. */
  @Override
  default void close() {}

  /** Receiver of the decision about a message. */
  @FunctionalInterface
  interface Continuation {
    /** Ends handling with a decision. Must not block. */
    void end(InterceptionVerdict interceptionVerdict);
  }
}
