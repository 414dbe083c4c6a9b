package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.model.call.HttpCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bounded cache of URIs of abstract services. */
class ServiceUriCacheTest {
  private final ServiceUriCache uris = new ServiceUriCache();

  private static HttpCall call(String uri) {
    return new HttpCall("GET", uri, List.of(), null, HttpCall.Output.CONTENT, false);
  }

  private static ServiceEndpoint endpoint(String base) {
    return ServiceEndpoint.of("any", base);
  }

  @Test
  void shouldTakeApartAndPutTogetherOnce() {
    ServiceUriCache.AbstractUri abstractUri = uris.of(call("svc://flights/v1/find?to=ROM"));
    assertEquals("flights", abstractUri.service());
    assertSame(abstractUri, uris.of(call("svc://flights/v1/find?to=ROM")));

    ServiceEndpoint sky = ServiceEndpoint.of("sky", "http://sky");
    String uri = abstractUri.at(sky);
    assertEquals("http://sky/v1/find?to=ROM", uri);
    assertSame(uri, abstractUri.at(sky));
    assertEquals("http://sea", uris.of(call("svc://hotels")).at(endpoint("http://sea")));
  }

  @Test
  void shouldForgetPlacesWhenThereAreTooMany() {
    ServiceUriCache.AbstractUri abstractUri = uris.of(call("svc://flights/v1"));
    for (int i = 0; i < ServiceUriCache.AbstractUri.MOST_SERVICES; i++) {
      abstractUri.at(endpoint("http://" + i));
    }
    assertEquals(ServiceUriCache.AbstractUri.MOST_SERVICES, abstractUri.size());
    assertEquals("http://more/v1", abstractUri.at(endpoint("http://more")));
    assertEquals(1, abstractUri.size());
  }

  @Test
  void shouldForgetWhenThereAreTooMany() {
    for (int i = 0; i < ServiceUriCache.MAX_URIS; i++) {
      uris.of(call("svc://s/" + i));
    }
    assertEquals(ServiceUriCache.MAX_URIS, uris.size());
    assertEquals("http://a/more", uris.of(call("svc://s/more")).at(endpoint("http://a")));
    assertEquals(1, uris.size());
  }

  @Test
  void shouldNotKeepLongOnes() {
    String longest = "svc://s/" + "x".repeat(ServiceUriCache.MAX_LENGTH - "svc://s/".length());
    uris.of(call(longest));
    assertEquals(1, uris.size());
    assertEquals("s", uris.of(call(longest + "x")).service());
    assertEquals(1, uris.size());
  }
}
