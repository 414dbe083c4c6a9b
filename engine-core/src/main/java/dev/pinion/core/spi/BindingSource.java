package dev.pinion.core.spi;

import dev.pinion.core.model.BindingRules;
import dev.pinion.core.model.BindingTable;
import dev.pinion.core.model.Callbacks;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the kernel finds which concrete service stands for an abstract one: the port of the broker.
 */
@FunctionalInterface
public interface BindingSource {
  /** Binds nothing: a call of an abstract service is a configuration error. */
  BindingSource NONE = () -> BindingTable.EMPTY;

  /** The table in force. Read once per call, from any thread; must not block. */
  BindingTable current();

  /** What is made of callers and definitions that are not known. The same at all times. */
  default BindingRules rules() {
    return BindingRules.OPEN;
  }

  /**
   * The abstract services that something registered serves at present; null where that is not
   * known. May read a file, so it belongs on ancillary threads.
   */
  default @Nullable SortedSet<String> served() {
    return null;
  }

  /** Hears how the services that it binds do. Asked once by each stage: one for its thread. */
  default CallObserver observer() {
    return CallObserver.NONE;
  }

  /**
   * Where services answer that do so later; null where none can. Asked for each such call, from any
   * thread; must not block.
   */
  default @Nullable Callbacks callbacks() {
    return null;
  }

  /** Holds callers to their contracts. The same at all times. */
  default Throttle throttle() {
    return Throttle.NONE;
  }

  /** What it counts, as text of Prometheus; empty when that is nothing. Any thread. */
  default String metrics() {
    return "";
  }

  /** The engine that reads it has stopped. */
  default void close() {}
}
