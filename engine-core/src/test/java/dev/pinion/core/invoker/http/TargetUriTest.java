package dev.pinion.core.invoker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.invoker.InvokerHarness;
import dev.pinion.core.model.call.HttpCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetUriTest {
  @ParameterizedTest
  @CsvSource({
    "http://Pets.Example/a/b?c=d#e, pets.example:80, pets.example, /a/b?c=d",
    "https://pets.example, pets.example:443, pets.example, /",
    "HTTP://pets.example:8080?x=1, pets.example:8080, pets.example:8080, /?x=1",
    "http://pets.example:/x, pets.example:80, pets.example, /x",
    "https://pets.example:80/x, pets.example:80, pets.example:80, /x",
    "http://127.0.0.1:81/#frag, 127.0.0.1:81, 127.0.0.1:81, /",
    "http://[::1]:8080/x, [::1]:8080, [::1]:8080, /x",
    "http://[2001:DB8::1], [2001:db8::1]:80, [2001:db8::1], /",
    "http://h/p:q@r, h:80, h, /p:q@r",
  })
  void shouldTakeAUriApart(String uri, String origin, String hostField, String path)
      throws InvalidCallException {
    TargetUri targetUri = TargetUri.parse(uri);
    assertEquals(origin, targetUri.origin().toString());
    assertEquals(hostField, targetUri.origin().hostField());
    assertEquals(path, targetUri.path());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "svc://pets/list | expected a URI of scheme http or https, found scheme \"svc\"",
        "pets/list | expected a URI of scheme http or https, found none",
        "http://user:hunter2@pets/ | expected a URI without user information",
        "http:///x | expected a host name of letters",
        "http://pets%20/x | expected a host name of letters",
        "http://pets:0/ | expected a port from 1 to 65535, found \"0\"",
        "http://pets:65536/ | expected a port from 1 to 65535, found \"65536\"",
        "http://pets:99999999999/ | expected a port from 1 to 65535",
        "http://pets:8o/ | expected a port from 1 to 65535, found \"8o\"",
        "http://[::g]/ | expected an IPv6 address in brackets, found \"::g\"",
        "http://pets/a b | expected a percent-encoded URI, found U+0020 at index 13",
        "http://pets/ä | expected a percent-encoded URI, found U+00E4",
      })
  void shouldRefuseWhatCannotBeCalled(String uri, String message) {
    InvalidCallException refused =
        assertThrows(InvalidCallException.class, () -> TargetUri.parse(uri));
    String found = String.valueOf(refused.getMessage());
    assertTrue(found.startsWith(message), found);
    assertFalse(found.contains("hunter2"), found);
  }

  @Test
  void shouldLookUpNamesOnly() throws InvalidCallException {
    assertNotNull(TargetUri.parse("http://127.0.0.1:1/").origin().literal());
    assertNotNull(TargetUri.parse("http://[::1]:1/").origin().literal());
    assertNull(TargetUri.parse("http://localhost:1/").origin().literal());
  }

  @ParameterizedTest
  @CsvSource({
    "http://u:secret@h:1/p?key=secret#secret, GET http://h:1/p",
    "http://h?key=secret, GET http://h",
    "http://u:secret@h, GET http://h",
    "http://h/a@b, GET http://h/a@b",
    "mailto:secret, GET",
    "x?http://secret, GET",
  })
  void shouldNameCallsWithoutSecrets(String uri, String name) {
    HttpCall call = InvokerHarness.get(uri);
    assertEquals(name, call.description());
  }
}
