package dev.pinion.broker.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.pinion.core.binding.BindingTable;
import org.junit.jupiter.api.Test;

class UnboundSourceTest {
  private final UnboundSource source = new UnboundSource();

  @Test
  void shouldBindNothing() {
    BindingTable table = source.current();

    assertNull(table.service(null, "hotel"));
    assertEquals(0, table.version());
  }

  @Test
  void shouldNeverChangeItsTable() {
    assertSame(source.current(), source.current());
  }
}
