package dev.pinion.bootstrap.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.invoker.http.ReservedAddresses;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.language.reference.UnavailableDocumentException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PinnedDocument;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.core.resource.DocumentFetcher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where neither calls nor documents nor events go, however the address is written. An address that
 * was tried makes an error of type communication or timeout, one that was refused makes another.
 */
class EgressTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<Integer> REDIRECTIONS = List.of(300, 301, 302, 303, 304, 305, 307, 308);
  private static final int SPELLINGS_OF_WHICH_ONE_IS_TRIED = 5;
  private static final String PROTO =
      """
      syntax = "proto3";
      package demo;
      service Greeter { rpc Hello(Person) returns (Person); }
      message Person { string name = 1; }
      """;

  @TempDir private Path folder;
  private int documents;

  /** Kinds of calls. */
  enum Kind {
    HTTP,
    OPENAPI,
    GRPC,
    MCP,
    A2A,
    OAUTH2
  }

  /** A call of a service, or of the authority that has its token. */
  private String call(Kind kind, String authority) throws IOException {
    String uri = "http://" + authority + "/latest";
    return switch (kind) {
      case HTTP -> "{call: http, with: {method: get, endpoint: '%s'}}".formatted(uri);
      case OPENAPI ->
          "{call: openapi, with: {document: {endpoint: '%s'}, operationId: ask}}"
              .formatted(api(uri));
      case GRPC ->
          ("{call: grpc, with: {proto: {endpoint: '%s'}, method: Hello,"
                  + " service: {name: demo.Greeter, host: '%s', port: 80}}}")
              .formatted(document("greeter.proto", PROTO), authority);
      case MCP ->
          "{call: mcp, with: {method: tools/list, transport: {http: {endpoint: '%s'}}}}"
              .formatted(uri);
      case A2A -> "{call: a2a, with: {method: tasks/list, server: '%s'}}".formatted(uri);
      case OAUTH2 ->
          ("{call: http, with: {method: get, endpoint: {uri: 'http://127.0.0.1:1/',"
                  + " authentication: {oauth2: {authority: '%s', grant: client_credentials,"
                  + " client: {id: a, secret: b}}}}}}")
              .formatted(uri);
    };
  }

  private String api(String server) throws IOException {
    return document(
        "api-" + documents++ + ".json",
        """
        {"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "ask"}}},
         "servers": [{"url": %s}]}
        """
            .formatted(JSON.writeValueAsString(server)));
  }

  private String document(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toUri().toString();
  }

  private static void assertRefused(ProtocolEngine engine, String call) throws Exception {
    HttpResponse<String> deployed = engine.deploy(call);
    if (deployed.statusCode() / 100 == 4) {
      return;
    }
    assertEquals(2, deployed.statusCode() / 100, () -> call + ": " + deployed.body());
    JsonNode instance = engine.runDeployed();
    String type = instance.path("error").path("type").asText();
    assertEquals("FAULTED", instance.path("state").asText(), () -> call + ": " + instance);
    assertFalse(
        type.endsWith("/communication") || type.endsWith("/timeout"), () -> call + ": " + instance);
  }

  @Test
  void shouldKnowEnoughSpellings() {
    assertTrue(AddressSpellings.ofClosed().size() >= 400);
    assertTrue(AddressSpellings.of("127.0.0.1").size() >= 200);
  }

  /** All kinds read addresses alike: one gets all spellings, the others some each. */
  private static List<String> some(Kind kind, List<String> spellings) {
    if (kind == Kind.HTTP) {
      return spellings;
    }
    int first = List.of(Kind.values()).indexOf(kind) - 1;
    return IntStream.range(0, spellings.size())
        .filter(i -> i % SPELLINGS_OF_WHICH_ONE_IS_TRIED == first)
        .mapToObj(spellings::get)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void shouldNeverCallClosedAddressesHoweverTheyAreWritten(Kind kind) throws Exception {
    callsNone(kind, some(kind, AddressSpellings.ofClosed()));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("long")
  void shouldNeverCallClosedAddressesInAnySpelling(Kind kind) throws Exception {
    callsNone(kind, AddressSpellings.ofClosed());
  }

  private void callsNone(Kind kind, List<String> spellings) throws Exception {
    try (ProtocolEngine engine = ProtocolEngine.withDocuments(folder)) {
      String plain = call(kind, "169.254.169.254");
      assertEquals(2, engine.deploy(plain).statusCode() / 100, "refused when it is made only");
      for (String authority : spellings) {
        assertRefused(engine, call(kind, authority));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void shouldNotCallThisMachineWhereThatIsClosed(Kind kind) throws Exception {
    callsNotItself(kind, some(kind, AddressSpellings.of("127.0.0.1")));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("long")
  void shouldNotCallThisMachineInAnySpelling(Kind kind) throws Exception {
    callsNotItself(kind, AddressSpellings.of("127.0.0.1"));
  }

  private void callsNotItself(Kind kind, List<String> some) throws Exception {
    List<String> spellings = new ArrayList<>(some);
    spellings.addAll(List.of("[::1]", "[0:0:0:0:0:0:0:1]", "0.0.0.0", "[::]", "127.255.0.1"));
    Map<String, Integer> closed = Map.of("invoker.privateAddresses", 0);
    try (ProtocolEngine engine = new ProtocolEngine(closed, Set.of(), folder.toString())) {
      for (String authority : spellings) {
        assertRefused(engine, call(kind, authority));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "GRPC")
  void shouldFollowNoRedirection(Kind kind) throws Exception {
    try (ProtocolEngine engine = ProtocolEngine.withDocuments(folder)) {
      for (int status : REDIRECTIONS) {
        try (RpcStub server = redirecting(status)) {
          JsonNode error = engine.error(call(kind, authority(server)));

          assertFalse(error.path("type").asText().endsWith("/authorization"), error::toString);
          assertEquals(1, server.received().size());
          if (kind != Kind.OAUTH2) {
            assertEquals(status, error.path("status").asInt(), error::toString);
          }
        }
      }
    }
  }

  @Test
  void shouldYieldARedirectionWithoutFollowingIt() throws Exception {
    try (ProtocolEngine engine = ProtocolEngine.withDocuments(folder);
        RpcStub server = redirecting(302)) {
      JsonNode output =
          engine.output(
              "{call: http, with: {method: get, endpoint: '%s', redirect: true, output: response}}"
                  .formatted(server.uri()));

      assertEquals(302, output.path("statusCode").asInt());
      assertEquals(1, server.received().size());
    }
  }

  private static RpcStub redirecting(int status) throws IOException {
    return new RpcStub(
        (request, answer) ->
            answer.with("Location", "http://169.254.169.254/latest").status(status));
  }

  private static String authority(RpcStub server) {
    return URI.create(server.uri()).getRawAuthority();
  }

  @Test
  void shouldFetchNoDocumentFromClosedAddresses() {
    for (String authority : AddressSpellings.ofClosed()) {
      String problem = problem("http://" + authority + "/latest", Map.of());

      assertFalse(problem.contains("to accept a connection"), problem);
      assertFalse(problem.contains("in time"), problem);
    }
    Map<String, Integer> closed = Map.of("invoker.privateAddresses", 0);
    String here = problem("http://127.0.0.1:1/latest", closed);
    assertTrue(here.contains("invoker.privateAddresses=1 allows that"), here);
  }

  /** The problem of a document, which is allowed where its URI can be. */
  private static String problem(String uri, Map<String, Integer> limits) {
    AllowedDocuments allowed;
    try {
      allowed = AllowedDocuments.parse(uri);
    } catch (IllegalArgumentException e) {
      allowed = AllowedDocuments.parse("http://docs.test/");
    }
    AllowedDocuments places = allowed;
    return assertThrows(UnavailableDocumentException.class, () -> fetched(places, uri, limits), uri)
        .problem();
  }

  private static PinnedDocument fetched(
      AllowedDocuments allowed, String uri, Map<String, Integer> limits) throws Exception {
    DocumentFetcher fetcher =
        new DocumentFetcher(
            EngineLimits.defaults().with(limits), allowed, ClientTls.load(null), Clock.system());
    try (DocumentSource source = fetcher.open()) {
      return source.get(uri);
    }
  }

  @Test
  void shouldFollowNoRedirectionOfADocument() throws Exception {
    for (int status : REDIRECTIONS) {
      try (RpcStub server = redirecting(status)) {
        String problem = problem(server.uri(), Map.of());

        assertTrue(problem.startsWith("expected no redirection of "), problem);
        assertEquals(1, server.received().size());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{call: 'URI'}",
        "{call: openapi, with: {document: {endpoint: 'URI'}, operationId: ask}}",
        "{call: grpc, with: {proto: {endpoint: 'URI'}, service: {name: a.B, host: h}, method: c}}",
        "{call: a2a, with: {agentCard: {endpoint: 'URI'}, method: tasks/list}}",
        "{set: {a: 1}, input: {schema: {format: json, resource: {endpoint: 'URI'}}}}",
      })
  void shouldFetchNoKindOfDocumentFromClosedAddresses(String task) throws Exception {
    String allowed = "http://169.254.169.254/";
    try (ProtocolEngine engine = new ProtocolEngine(Map.of(), Set.of(), allowed)) {
      HttpResponse<String> refused = engine.deploy(task.replace("URI", allowed + "x.yaml"));

      assertEquals(4, refused.statusCode() / 100, refused::body);
      assertTrue(refused.body().contains("which is never called"), refused::body);
    }
  }

  @Test
  void shouldLetNoEventGoToClosedAddresses() {
    for (String authority : AddressSpellings.ofClosed()) {
      for (InetAddress each : addresses("http://" + authority + "/latest")) {
        assertFalse(ReservedAddresses.isReserved(each), authority);
      }
    }
  }

  /** The addresses to which a sink leads; none for one that is refused. */
  private static List<InetAddress> addresses(String sink) {
    try {
      URI uri = URI.create(sink);
      return uri.getHost() == null ? List.of() : SinkPolicy.DEFAULT.addresses(uri);
    } catch (IllegalArgumentException
        | SinkPolicy.ForbiddenSinkException
        | UnknownHostException e) {
      return List.of();
    }
  }
}
