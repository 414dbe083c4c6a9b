package dev.pinion.broker.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LocatedJsonTest {
  private static final byte[] FIVE = "{\"a\": [1, 2, 3]}".getBytes(StandardCharsets.UTF_8);

  /** Field fault 1: a document of many small values must not end the process of the broker. */
  @Test
  void shouldRefuseMoreValuesThanFitTheHeap() throws Exception {
    assertEquals(5, LocatedJson.of(FIVE, 10, 5).positions().size());
    JsonProcessingException refused =
        assertThrows(JsonProcessingException.class, () -> LocatedJson.of(FIVE, 10, 4));
    assertTrue(refused.getOriginalMessage().startsWith("more than 4 values"), refused::getMessage);
  }
}
