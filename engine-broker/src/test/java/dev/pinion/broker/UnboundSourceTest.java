package dev.pinion.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.pinion.core.model.BindingTable;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnboundSourceTest {
  private final UnboundSource source = new UnboundSource();

  @Test
  void shouldBindNothing() {
    BindingTable table = source.current();

    assertEquals(Optional.empty(), table.endpoint("hotel"));
    assertEquals(0, table.version());
  }

  @Test
  void shouldNeverChangeItsTable() {
    assertSame(source.current(), source.current());
  }
}
