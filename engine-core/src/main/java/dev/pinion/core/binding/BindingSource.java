package dev.pinion.core.binding;

import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.call.CallbackAddresses;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Source of the concrete services for abstract ones: the port of the broker. */
@FunctionalInterface
public interface BindingSource {
  /** Binds nothing: a call of an abstract service is a configuration error. */
  BindingSource NONE = () -> BindingTable.EMPTY;

  /** The table in force. Read once per call, from any thread; must not block. */
  BindingTable current();

  /** Rules for unknown callers and definitions. The same at all times. */
  default BindingRules rules() {
    return BindingRules.OPEN;
  }

  /**
   * The abstract services that a registered service serves at present; null where that is not
   * known. May read a file, so it belongs on ancillary threads.
   */
  default @Nullable SortedSet<String> served() {
    return null;
  }

  /** Observer of the bound services. Called once by each stage: one for its thread. */
  default CallObserver observer() {
    return CallObserver.NONE;
  }

  /**
   * Addresses for services that answer later; null where none can. Called for each such call, from
   * any thread; must not block.
   */
  default @Nullable CallbackAddresses callbacks() {
    return null;
  }

  /** Throttle that enforces the callers' contracts. The same at all times. */
  default Throttle throttle() {
    return Throttle.NONE;
  }

  /** Adds the present metrics, if there are any. Any thread. */
  default void addMetrics(MetricFamilies families) {}

  /** Closes the source; the engine that reads it has stopped. */
  default void close() {}
}
