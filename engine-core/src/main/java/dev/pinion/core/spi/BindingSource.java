package dev.pinion.core.spi;

import dev.pinion.core.model.BindingTable;

/**
 * Where the kernel finds which concrete service stands for an abstract one: the port of the broker.
 */
@FunctionalInterface
public interface BindingSource {
  /** Binds nothing: a call of an abstract service is a configuration error. */
  BindingSource NONE = () -> BindingTable.EMPTY;

  /** The table in force. Read once per call, from any thread; must not block. */
  BindingTable current();

  /** Hears how the services that it binds do. Asked once, by each stage. */
  default CallObserver observer() {
    return CallObserver.NONE;
  }

  /** The engine that reads it has stopped. */
  default void close() {}
}
