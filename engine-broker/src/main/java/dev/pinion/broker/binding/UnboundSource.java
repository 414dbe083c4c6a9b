package dev.pinion.broker.binding;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;

/** A source that binds no service; its table is empty and never changes. */
public final class UnboundSource implements BindingSource {
  /** A source; it has no state, so one is enough. */
  public UnboundSource() {}

  @Override
  public BindingTable current() {
    return BindingTable.EMPTY;
  }
}
