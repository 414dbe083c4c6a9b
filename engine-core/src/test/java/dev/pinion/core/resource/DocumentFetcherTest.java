package dev.pinion.core.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.FakeHostResolver;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.ScriptedServer;
import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.invoker.http.NettyServiceCaller;
import dev.pinion.core.invoker.http.ServiceCallerSettings;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.language.reference.UnavailableDocumentException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PinnedDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentFetcherTest {
  private static final EngineLimits LIMITS =
      EngineLimits.defaults()
          .with(Map.of("definition.maxDocumentBytes", 1_024, "definition.fetchMillis", 20_000));

  private static DocumentFetcher fetcher(EngineLimits limits, String allowed) throws IOException {
    return new DocumentFetcher(
        limits, AllowedDocuments.parse(allowed), ClientTls.load(null), Clock.system());
  }

  private static PinnedDocument get(String allowed, String uri) throws Exception {
    try (DocumentSource source = fetcher(LIMITS, allowed).open()) {
      return source.get(uri);
    }
  }

  private static String problem(String allowed, String uri) {
    return assertThrows(UnavailableDocumentException.class, () -> get(allowed, uri), uri).problem();
  }

  private static String answer(int status, String fields, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return "HTTP/1.1 "
        + status
        + " X\r\n"
        + fields
        + "Content-Length: "
        + length
        + "\r\n\r\n"
        + body;
  }

  private static ScriptedServer server(String answer) {
    return new ScriptedServer(ScriptedServer.answering(answer));
  }

  @Test
  void shouldReadAFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("f.yaml"), "set: {x: 'ä'}\n");
    String uri = file.toUri().toString();

    PinnedDocument document = get(folder.toString(), uri);

    assertEquals(PinnedDocument.of(uri, "application/yaml", "set: {x: 'ä'}\n"), document);
    assertEquals(64, document.sha256().length());
  }

  @Test
  void shouldRefuseFilesThatAreNoText(@TempDir Path folder) throws Exception {
    Files.write(folder.resolve("bytes.yaml"), new byte[] {(byte) 0xff, 0});
    Files.write(folder.resolve("large.yaml"), new byte[1_025]);
    Files.write(folder.resolve("most.yaml"), new byte[1_024]);
    Files.createDirectory(folder.resolve("folder.yaml"));
    String base = folder.toUri().toString();

    assertEquals(1_024, get(folder.toString(), base + "most.yaml").text().length());
    assertTrue(problem(folder.toString(), base + "bytes.yaml").contains("UTF-8"));
    assertTrue(
        problem(folder.toString(), base + "large.yaml").contains("definition.maxDocumentBytes"));
    assertTrue(problem(folder.toString(), base + "folder.yaml").contains("found no file"));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json,/x,application/json",
    "application/schema+json; charset=utf-8,/x,application/json",
    "text/plain,/x.json,application/json",
    "text/plain,/x.yaml?v=.json,application/yaml",
    "application/yaml,/x,application/yaml"
  })
  void shouldFetchOverHttp(String type, String path, String mediaType) throws Exception {
    try (ScriptedServer server = server(answer(200, "Content-Type: " + type + "\r\n", "{}"))) {
      PinnedDocument document = get(server.uri("/"), server.uri(path));

      assertEquals(PinnedDocument.of(server.uri(path), mediaType, "{}"), document);
    }
  }

  @Test
  void shouldFetchSeveralDocumentsOfOneDefinition() throws Exception {
    try (ScriptedServer server = server(answer(200, "", "{}"));
        DocumentSource source = fetcher(LIMITS, server.uri("/a")).open()) {
      assertEquals(server.uri("/a/1"), source.get(server.uri("/a/1")).uri());
      assertEquals(server.uri("/a/2"), source.get(server.uri("/a/2")).uri());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "404;'';;expected status 200 from",
        "204;'';;expected status 200 from",
        "301;'';;expected status 200 from",
        "200;Content-Encoding: gzip;x;without content coding, found gzip",
        "302;Location: https://elsewhere.test/x;;expected no redirection",
        "302;Location: //elsewhere.test/x;;expected no redirection",
        "302;Location: http://127.0.0.1:1/x;;expected no redirection",
        "302;Location: file:///etc/passwd;;expected no redirection",
        "302;Location: /other;;expected a document below one of the folders and URLs",
        "302;Location: /a/../other;;expected a document below one of the folders and URLs",
        "302;Location: /a/again;;expected at most 5 redirections"
      })
  void shouldRefuseOtherAnswers(int status, String field, String body, String problem) {
    String fields = field == null || field.isEmpty() ? "" : field + "\r\n";
    try (ScriptedServer server = server(answer(status, fields, body == null ? "" : body))) {
      String found = problem(server.uri("/a"), server.uri("/a/x"));

      assertTrue(found.contains(problem), found);
    }
  }

  @Test
  void shouldFollowRedirectionsWithinTheServer() throws Exception {
    ScriptedServer.Script script =
        conversation -> {
          for (String head = conversation.readRequest();
              !head.isEmpty();
              head = conversation.readRequest()) {
            conversation.send(
                head.startsWith("GET /a/x ")
                    ? answer(307, "Location: ../a/y\r\n", "")
                    : answer(200, "", head.substring(0, head.indexOf(" HTTP"))));
          }
        };
    try (ScriptedServer server = new ScriptedServer(script)) {
      PinnedDocument document = get(server.uri("/a"), server.uri("/a/x"));

      assertEquals("GET /a/y", document.text());
      assertEquals(server.uri("/a/x"), document.uri());
    }
  }

  @Test
  void shouldGiveUpInTime() throws Exception {
    EngineLimits limits = EngineLimits.defaults().with(Map.of("definition.fetchMillis", 100));
    try (ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  conversation.readRequest();
                  conversation.readRequest(); // until the connection ends
                });
        DocumentSource source = fetcher(limits, server.uri("/")).open()) {
      UnavailableDocumentException late =
          assertThrows(UnavailableDocumentException.class, () -> source.get(server.uri("/x")));
      assertTrue(late.problem().contains("definition.fetchMillis"), late::problem);

      UnavailableDocumentException next =
          assertThrows(UnavailableDocumentException.class, () -> source.get(server.uri("/y")));
      assertTrue(next.problem().contains("definition.fetchMillis"), next::problem);
    }
  }

  @Test
  void shouldTellThatNobodyListens() {
    ScriptedServer server = server("");
    server.close();

    assertTrue(problem(server.uri("/"), server.uri("/x")).contains("to accept a connection"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://169.254.169.254/latest",
        "http://[fd00:ec2::254]/latest",
        "http://[::ffff:169.254.169.254]/latest",
        "http://0.0.0.0/x"
      })
  void shouldNeverConnectToReservedAddresses(String uri) {
    assertTrue(problem(uri, uri).contains(" at one that is "), () -> problem(uri, uri));
  }

  /** A name may resolve to an address that is not the one it had when it was allowed. */
  @Test
  void shouldJudgeTheAddressOfAName() {
    ServiceCallerSettings settings =
        new ServiceCallerSettings(
            LIMITS.invoker(),
            new PayloadCodec(LIMITS.json()),
            tls(),
            ChannelTypes.nio(),
            "test",
            () -> true);
    FakeHostResolver addresses = FakeHostResolver.of("169.254.169.254", "fe80::1");
    DocumentFetcher fetcher =
        new DocumentFetcher(
            LIMITS,
            AllowedDocuments.parse("http://docs.test/"),
            loop -> new NettyServiceCaller(loop, settings, new InvokerCounters(), addresses),
            Clock.system());
    try (DocumentSource source = fetcher.open()) {
      UnavailableDocumentException refused =
          assertThrows(
              UnavailableDocumentException.class, () -> source.get("http://docs.test/x.yaml"));

      assertTrue(refused.problem().contains("found docs.test at one that is"), refused::problem);
      assertEquals(List.of("V6 docs.test", "V4 docs.test"), addresses.questions);
    }
  }

  private static ClientTls tls() {
    try {
      return ClientTls.load(null);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
