package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.pinion.core.model.HttpCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** URIs of abstract services, of which a bounded number is remembered. */
class AbstractUrisTest {
  private final AbstractUris uris = new AbstractUris();

  private static HttpCall call(String uri) {
    return new HttpCall("GET", uri, List.of(), null, HttpCall.Output.CONTENT, false);
  }

  @Test
  void shouldTakeApartOnce() {
    AbstractUris.Parts parts = uris.of(call("svc://flights/v1/find?to=ROM"));
    assertEquals(new AbstractUris.Parts("flights", "/v1/find?to=ROM"), parts);
    assertSame(parts, uris.of(call("svc://flights/v1/find?to=ROM")));
    assertEquals(new AbstractUris.Parts("hotels", ""), uris.of(call("svc://hotels")));
  }

  @Test
  void shouldForgetWhenThereAreTooMany() {
    for (int i = 0; i < AbstractUris.MOST; i++) {
      uris.of(call("svc://s/" + i));
    }
    assertEquals(AbstractUris.MOST, uris.size());
    assertEquals("/more", uris.of(call("svc://s/more")).rest());
    assertEquals(1, uris.size());
  }

  @Test
  void shouldNotKeepLongOnes() {
    String longest = "svc://s/" + "x".repeat(AbstractUris.MAX_LENGTH - "svc://s/".length());
    uris.of(call(longest));
    assertEquals(1, uris.size());
    assertEquals(
        longest.length() + 1 - "svc://s".length(), uris.of(call(longest + "x")).rest().length());
    assertEquals(1, uris.size());
  }
}
