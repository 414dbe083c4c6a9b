package dev.pinion.core.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Field faults 25 and 26: requests that a page of another site can forge. */
class AllowedHostsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:8080",
        "localhost.",
        "localhost.:80",
        "localhost:",
        "app.localhost:1",
        "127.0.0.1",
        "127.255.0.9:65535",
        "[::1]",
        "[0:0:0:0:0:0:0:1]:8080",
        "[::ffff:127.0.0.1]:8080"
      })
  void shouldHoldNamesOfLoopback(String host) {
    assertTrue(AllowedHosts.LOOPBACK.contains(host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":8080",
        "evil.example.com",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "notlocalhost",
        "127.0.0.256",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0.0.0.0:8080",
        "128.0.0.1",
        "[::]",
        "[::2]",
        "[::1",
        "[fe80::1]",
        "localhost:99999",
        "localhost:8080:8080",
        "user@localhost",
        "localhost/evil",
        "localhost evil",
        "localhost\u0000"
      })
  void shouldHoldNothingElse(String host) {
    assertFalse(AllowedHosts.LOOPBACK.contains(host));
  }

  @Test
  void shouldHoldWhatIsListed() {
    AllowedHosts hosts =
        AllowedHosts.parse("Engine.example, *.example.org,10.0.0.7:8443,[2001:DB8::1]");

    assertTrue(hosts.contains("engine.example:1234"));
    assertTrue(hosts.contains("ENGINE.example."));
    assertTrue(hosts.contains("a.b.example.org"));
    assertTrue(hosts.contains("10.0.0.7:8443"));
    assertTrue(hosts.contains("[2001:db8:0::1]:80"));
    assertTrue(hosts.contains("localhost"));
    assertFalse(hosts.contains("example.org"));
    assertFalse(hosts.contains("evilexample.org"));
    assertFalse(hosts.contains("10.0.0.7"));
    assertFalse(hosts.contains("engine.example.evil"));
    assertEquals("Engine.example, *.example.org,10.0.0.7:8443,[2001:DB8::1]", hosts.toString());
  }

  @Test
  void shouldHoldTheHostOfAnAddressThatServicesAreTold() {
    AllowedHosts hosts = AllowedHosts.LOOPBACK.with(URI.create("https://engine.example:8443/base"));

    assertTrue(hosts.contains("engine.example"));
    assertTrue(
        AllowedHosts.parse("a.example")
            .with(URI.create("http://[2001:db8::2]/"))
            .contains("[2001:db8::2]:80"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"*", "a,", "https://a.example", "a b", "a:0", "a:70000", "a/b", "*.*", "-"})
  void shouldSayWhatAListIs(String text) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> AllowedHosts.parse(text));

    assertTrue(String.valueOf(refusal.getMessage()).contains("engine.example"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8080,localhost:8080,true",
    "HTTP://LocalHost:8080,localhost:8080,true",
    "https://engine.example,engine.example,true",
    "https://engine.example,engine.example:443,true",
    "http://engine.example:80,engine.example,true",
    "http://[::1]:8080,[0:0:0:0:0:0:0:1]:8080,true",
    "http://localhost:3000,localhost:8080,false",
    "http://localhost,localhost:8080,false",
    "http://127.0.0.1:8080,localhost:8080,false",
    "https://engine.example,engine.example:80,false",
    "http://evil.example,localhost,false",
    "http://localhost.evil.example,localhost,false",
    "null,localhost,false",
    "localhost,localhost,false",
    "file://localhost,localhost,false",
    "http://localhost/,localhost,false",
    "http://a@localhost,localhost,false",
    "http://localhost http://localhost,localhost,false",
  })
  void shouldTellAnOriginOfItsOwn(String origin, String host, boolean own) {
    assertEquals(own, AllowedHosts.isOriginOf(origin, host));
  }
}
