package dev.pinion.core.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.language.reference.UnavailableDocumentException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedDocumentsTest {
  private static final AllowedDocuments SOME =
      AllowedDocuments.parse(
          "https://example.com/functions, http://127.0.0.1:8080/, https://b.test");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com/functions",
        "https://example.com/functions/x.yaml",
        "https://example.com/functions?version=1",
        "HTTPS://EXAMPLE.COM:443/functions/x.yaml",
        "http://127.0.0.1:8080/a/b",
        "https://b.test",
        "https://b.test/x%20y.yaml"
      })
  void shouldAllowWhatIsBelow(String uri) throws Exception {
    assertEquals(
        URI.create(uri).getHost().toLowerCase(java.util.Locale.ROOT),
        SOME.url(URI.create(uri)).origin().host());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com/",
        "https://example.com/functionsx/x.yaml",
        "https://example.com/other/functions/x.yaml",
        "http://example.com/functions/x.yaml",
        "https://example.com:444/functions/x.yaml",
        "https://example.com.evil.test/functions/x.yaml",
        "https://evil.test/https://example.com/functions/x.yaml",
        "https://example.com/functions/../secret",
        "https://example.com/functions/%2e%2e/secret",
        "https://example.com/functions/%252e%252e/secret",
        "https://example.com/functions/..%2fsecret",
        "https://example.com/functions/..%5csecret",
        "https://example.com/functions/..;/secret",
        "https://example.com/functions/%zz",
        "http://127.0.0.1/a",
        "http://127.1:8080/a",
        "http://2130706433:8080/a",
        "http://0x7f.0.0.1:8080/a",
        "http://169.254.169.254/latest",
        "ftp://example.com/functions/x.yaml"
      })
  void shouldRefuseWhatIsNot(String uri) {
    URI parsed;
    try {
      parsed = new URI(uri);
    } catch (java.net.URISyntaxException e) {
      return; // refused before
    }
    assertThrows(UnavailableDocumentException.class, () -> SOME.url(parsed), uri);
  }

  @Test
  void shouldRefuseUserInformation() {
    UnavailableDocumentException refused =
        assertThrows(
            UnavailableDocumentException.class,
            () -> SOME.url(URI.create("https://example.com@evil.test/functions/x.yaml")));

    assertTrue(refused.problem().contains("user information"), refused::problem);
  }

  @Test
  void shouldNameTheSetting() {
    assertEquals(
        "expected a document below one of the folders and URLs of --documents (none), found"
            + " https://a.test/x",
        assertThrows(
                UnavailableDocumentException.class,
                () -> AllowedDocuments.NONE.url(URI.create("https://a.test/x")))
            .problem());
  }

  @Test
  void shouldKeepFilesBelowTheirFolder(@TempDir Path folder) throws Exception {
    Path inside = Files.createDirectories(folder.resolve("in side"));
    Path file = Files.writeString(inside.resolve("f.yaml"), "x");
    Path secret = Files.writeString(folder.resolve("secret.yaml"), "x");
    Files.createSymbolicLink(inside.resolve("link.yaml"), secret);
    Files.createSymbolicLink(folder.resolve("door"), inside);
    AllowedDocuments allowed = AllowedDocuments.parse(folder.resolve("door") + "," + inside);
    String base = inside.toUri().toString();

    assertEquals(file.toRealPath(), allowed.file(base + "f.yaml"));
    assertEquals(
        file.toRealPath(),
        allowed.file("file://localhost" + inside.toUri().getRawPath() + "f.yaml"));
    assertEquals(file.toRealPath(), allowed.file(folder.resolve("door/f.yaml").toUri().toString()));
    for (String each :
        new String[] {
          base + "link.yaml",
          base + "../secret.yaml",
          base + "%2e%2e/secret.yaml",
          secret.toUri().toString(),
          base + "none.yaml",
          "file://host/f.yaml",
          "file:relative.yaml",
          base + "f.yaml?x",
          "file:///%00"
        }) {
      assertThrows(UnavailableDocumentException.class, () -> allowed.file(each), each);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "relative/folder;expected absolute paths of folders",
        "/a,,/b;expected absolute paths of folders",
        "https://a.test/x?y;expected a URL without a query and dot segments",
        "https://a.test/../x;expected a URL without a query and dot segments",
        "https://user@a.test/;expected a URI without user information",
        "http://0x7f.1/;expected an address of IPv4 as four decimal numbers",
        "httpx://a.test;expected a URI of scheme http or https"
      })
  void shouldRefuseOtherSettings(String text, String problem) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> AllowedDocuments.parse(text));

    assertTrue(String.valueOf(refused.getMessage()).startsWith(problem), refused::getMessage);
  }

  @Test
  void shouldAllowNothingByAnEmptyText() throws IOException {
    assertEquals("", AllowedDocuments.parse(" ").toString());
  }
}
