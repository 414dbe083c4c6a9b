package dev.pinion.core.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The record of the opening of a journal. */
class JournalHeaderTest {
  @Test
  void shouldReadWhatWasWritten() throws IOException {
    JournalHeader now = JournalHeader.now(Clock.system(), EngineLimits.defaults());
    assertEquals(now, JournalHeader.decode(now.encode()));
    assertFalse(now.callsAreNumbered());
  }

  @Test // Field fault 7: keys of calls in old journals stay what they were
  void shouldKnowAnEngineThatNamedCallsByTheirNumbers() throws IOException {
    byte[] older = "scale\n0.9.0\nkernel.maxCalls 7\n".getBytes(StandardCharsets.UTF_8);
    JournalHeader journalHeader = JournalHeader.decode(ByteBuffer.wrap(older));
    assertTrue(journalHeader.callsAreNumbered());
    assertEquals(Map.of("kernel.maxCalls", 7), journalHeader.limits());
    assertEquals(ByteBuffer.wrap(older), journalHeader.encode());
  }

  @Test // Field fault 1: a replay of an old journal refuses nothing that was accepted then
  void shouldBoundNeitherValuesNorErrorsOfAnEngineThatDidNot() throws IOException {
    byte[] older = "scale\n0.9.0\nkernel.maxCalls 7\n".getBytes(StandardCharsets.UTF_8);
    EngineLimits now = EngineLimits.defaults();
    EngineLimits then = JournalHeader.decode(ByteBuffer.wrap(older)).inForce(now);
    assertEquals(Integer.MAX_VALUE, then.json().maxHeapBytes());
    assertEquals(Integer.MAX_VALUE, then.instance().maxErrorBytes());
    assertEquals(7, then.kernel().maxCalls());
    assertEquals(now.kernel().maxHeldBytes(), then.kernel().maxHeldBytes());
    assertEquals(now, JournalHeader.now(Clock.system(), now).inForce(now));
  }
}
