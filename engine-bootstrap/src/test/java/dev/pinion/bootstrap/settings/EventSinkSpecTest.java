package dev.pinion.bootstrap.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of sinks of events. */
class EventSinkSpecTest {
  @Test
  void shouldReadSinks() {
    List<EventSinkSpec> sinks =
        EventSinkSpec.parse(
            "audit=https://audit.example/events?a=b, orders:com.example.order.=http://o:8080");
    assertEquals(
        List.of(
            new EventSinkSpec("audit", "", URI.create("https://audit.example/events?a=b")),
            new EventSinkSpec("orders", "com.example.order.", URI.create("http://o:8080"))),
        sinks);
    assertEquals("orders:com.example.order.=http://o:8080", sinks.get(1).toString());
    assertEquals(List.of(), EventSinkSpec.parse(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          https://audit.example                | expected NAME=URL
          Audit=https://audit.example          | expected NAME=URL
          a-=https://audit.example             | expected NAME=URL
          a=                                   | expected NAME=URL
          a=https://a,                         | expected NAME=URL
          a=https://a,a=https://b              | found "a" again
          a=ftp://a                            | expected an http or https URL
          a=https:///path                      | expected an http or https URL
          a=https://user:word@a                | without credentials, found some for a
          a=https://a/#part                    | without fragment
          a=https://a b                        | expected NAME=URL
          a=https://a/%                        | expected a URL
          """)
  void shouldRefuseOtherTexts(String text, String says) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> EventSinkSpec.parse(text));
    String message = Objects.requireNonNull(refusal.getMessage());
    assertTrue(message.contains(says), message);
  }
}
