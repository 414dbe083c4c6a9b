package dev.pinion.broker.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.core.model.Diagnostic;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents of services, registries and tables, valid and hostile. */
class RegistryReaderTest {
  private static final String SERVICE =
      """
      {"id": "a", "serves": ["flights", "hotels"], "endpoint": "http://host:80/base",
       "idempotent": true, "r": 0.5, "d": 0.99, "c": 2, "load": 10,
       "from": "2030-01-01T00:00:00Z", "until": "2031-01-01T00:00:00Z",
       "mapping": {"path": "/v2/{1}", "headers": {"X-Key": "k"}, "request": ".a", "answer": ".b"}}
      """;

  private static final String TABLE =
      """
      {"schema": "broker-table/1", "version": 7, "defaultClass": "std",
       "services": [%s, {"id": "b", "serves": ["flights"], "endpoint": "https://b",
                         "idempotent": IDEMPOTENT, "r": 1, "d": 1, "c": 0}],
       "stateful": [STATEFUL],
       "bindings": {"std": {"flights": [
         {"pattern": "PATTERN", "services": ["a", "b"], "fraction": 0.25},
         {"pattern": "single", "services": ["b"], "fraction": 0.75}]}}}
      """
          .formatted(SERVICE);

  private final RegistryReader reader =
      new RegistryReader(source -> source.equals("wrong") ? "no such thing" : null);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T valid(DocumentReading<T> reading) {
    return switch (reading) {
      case DocumentReading.Valid<T>(T value) -> value;
      case DocumentReading.Invalid<T>(List<Diagnostic> found) ->
          throw new AssertionError(found.toString());
    };
  }

  private static List<Diagnostic> problems(DocumentReading<?> reading) {
    return switch (reading) {
      case DocumentReading.Valid<?>(Object value) -> throw new AssertionError("read " + value);
      case DocumentReading.Invalid<?>(List<Diagnostic> found) -> found;
    };
  }

  private static String table(String pattern, boolean idempotent, String stateful) {
    return TABLE
        .replace("PATTERN", pattern)
        .replace("IDEMPOTENT", Boolean.toString(idempotent))
        .replace("STATEFUL", stateful);
  }

  @Test
  void shouldReadAService() {
    RegisteredService service = valid(reader.service(bytes(SERVICE)));

    assertEquals("a", service.id());
    assertEquals(Set.of("flights", "hotels"), service.serves());
    assertEquals(
        new InterfaceMapping("/v2/{1}", Map.of("X-Key", "k"), ".a", ".b"), service.mapping());
    assertEquals(10, service.promise().load());
    Instant from = Instant.parse("2030-01-01T00:00:00Z");
    assertTrue(service.isValidAt(from));
    assertFalse(service.isValidAt(from.minusNanos(1)));
    assertFalse(service.isValidAt(Instant.parse("2031-01-01T00:00:00Z")));
  }

  @Test
  void shouldReadWhatItWrites() {
    ServiceRegistry serviceRegistry =
        ServiceRegistry.EMPTY
            .with(valid(reader.service(bytes(SERVICE))))
            .withStateful("hotels", true);
    assertEquals(serviceRegistry, valid(reader.registry(RegistryWriter.registry(serviceRegistry))));
    PublishedTable table = valid(reader.table(bytes(table("alt", true, ""))));
    assertEquals(7, table.version());
    assertEquals(table, valid(reader.table(RegistryWriter.table(table))));
  }

  @Test
  void shouldReadTheRatesThatItWrites() {
    PublishedTable table =
        valid(reader.table(bytes(table("alt", true, ""))))
            .withRates(Map.of("std", Map.of("ann", 2.5, "", 1.0)));
    assertEquals(table, valid(reader.table(RegistryWriter.table(table))));
    for (String wrong : List.of("[]", "{\"std\": 1}", "{\"std\": {\"a\": 0}}", "{\"a b\": {}}")) {
      String document = table("alt", true, "").replaceFirst("\\{", "{\"rates\": " + wrong + ",");
      assertFalse(problems(reader.table(bytes(document))).isEmpty(), wrong);
    }
  }

  @Test
  void shouldReadThePartsServedThatItWrites() {
    PublishedTable table =
        valid(reader.table(bytes(table("alt", true, ""))))
            .withServed(Map.of("tin", 0.0, "std", 0.999));
    assertEquals(table, valid(reader.table(RegistryWriter.table(table))));
    for (String wrong : List.of("[]", "{\"std\": 1}", "{\"std\": -0.1}", "{\"a b\": 0}")) {
      String document = table("alt", true, "").replaceFirst("\\{", "{\"served\": " + wrong + ",");
      assertFalse(problems(reader.table(bytes(document))).isEmpty(), wrong);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"id\": \"a\" | \"id\": \"a>b\" | letters, digits",
        "\"http://host:80/base\" | \"http://host:80/base/\" | http or https URI",
        "\"http://host:80/base\" | \"ftp://host\" | http or https URI",
        "\"http://host:80/base\" | \"http://u:p@host\" | http or https URI",
        "\"http://host:80/base\" | \"http://host?q\" | http or https URI",
        "\"idempotent\": true | \"idempotent\": 1 | true or false",
        "\"idempotent\": true, | '' | expected \"idempotent\"",
        "\"r\": 0.5 | \"r\": -1 | at least 0",
        "\"d\": 0.99 | \"d\": 0 | above 0 and up to 1",
        "\"d\": 0.99 | \"d\": 1.01 | above 0 and up to 1",
        "\"c\": 2 | \"c\": \"2\" | at least 0",
        "\"2031-01 | \"2029-01 | not before from",
        "\"2031-01-01T00:00:00Z\" | \"tomorrow\" | a moment such as",
        "\"/v2/{1}\" | \"v2\" | begins with a slash",
        "\"/v2/{1}\" | \"/{x}\" | {1} to {9}",
        "\"X-Key\": \"k\" | \"X Key\": \"k\" | a header field",
        "\"X-Key\": \"k\" | \"X-Key\": \"k\\r\\nEvil: 1\" | a header field",
        "\".a\" | \"wrong\" | no such thing",
        "\"mapping\" | \"maping\" | expected one of",
        "\"flights\", | \"hotels\", | each abstract service once"
      })
  void shouldLocateWhatIsWrongWithAService(String from, String to, String expected) {
    List<Diagnostic> found = problems(reader.service(bytes(SERVICE.replace(from, to))));

    assertEquals(1, found.size(), found::toString);
    assertTrue(found.getFirst().message().contains(expected), found::toString);
    assertTrue(found.getFirst().line() > 0, found::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "null", "{", "{\"a\":1,\"a\":2}", "nonsense", "{} {}"})
  void shouldRefuseWhatIsNoDocument(String text) {
    problems(reader.service(bytes(text)));
    problems(reader.registry(bytes(text)));
    problems(reader.table(bytes(text)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"alt", "par"})
  void shouldRefuseToRepeatWhatMustNotBe(String pattern) {
    String found = problems(reader.table(bytes(table(pattern, false, "")))).toString();
    assertTrue(found.contains("expected the pattern single"), found);
    found = problems(reader.table(bytes(table(pattern, true, "\"flights\"")))).toString();
    assertTrue(found.contains("expected the pattern single"), found);
    valid(reader.table(bytes(table(pattern, true, "\"hotels\""))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.25 | 0.25000001 | sum up to 1",
        "\"defaultClass\": \"std\" | \"defaultClass\": \"st\" | a class of the table",
        "[\"b\"], | [\"c\"], | a service of the table",
        "[\"b\"], | [\"b\", \"a\"], | one service in the pattern single",
        "[\"a\", \"b\"] | [\"a\"] | 2 to 8 services",
        "[\"a\", \"b\"] | [\"a\", \"a\"] | each service once",
        "\"version\": 7 | \"version\": 0 | at least 1",
        "\"version\": 7, | '' | expected \"version\"",
        "broker-table/1 | broker-table/2 | as schema",
        "\"pattern\": \"single\" | \"pattern\": \"some\" | one of alt, par, single"
      })
  void shouldLocateWhatIsWrongWithATable(String from, String to, String expected) {
    String text = table("alt", true, "").replace(from, to);
    List<Diagnostic> found = problems(reader.table(bytes(text)));

    assertEquals(1, found.size(), found::toString);
    assertTrue(found.getFirst().message().contains(expected), found::toString);
  }

  @Test
  void shouldBoundWhatOneServiceServes() {
    String most = names(RegisteredService.MAX_SERVES);
    valid(reader.service(bytes(SERVICE.replace("\"flights\", \"hotels\"", most))));
    String more = names(RegisteredService.MAX_SERVES + 1);
    problems(reader.service(bytes(SERVICE.replace("\"flights\", \"hotels\"", more))));
  }

  @Test
  void shouldBoundServicesAndClasses() {
    valid(reader.registry(bytes(registry(ServiceRegistry.MAX_SERVICES))));
    problems(reader.registry(bytes(registry(ServiceRegistry.MAX_SERVICES + 1))));
    valid(reader.table(bytes(classes(PublishedTable.MAX_CLASSES))));
    problems(reader.table(bytes(classes(PublishedTable.MAX_CLASSES + 1))));
  }

  private static String registry(int services) {
    return IntStream.range(0, services)
        .mapToObj(
            each ->
                String.format(
                    Locale.ROOT,
                    "{\"id\":\"s%d\",\"serves\":[\"x\"],\"endpoint\":\"http://h\",\"idempotent\":true,\"r\":1,\"d\":1,\"c\":1}",
                    each))
        .collect(
            Collectors.joining(
                ",", "{\"schema\":\"broker-registry/1\",\"version\":1,\"services\":[", "]}"));
  }

  private static String classes(int count) {
    return IntStream.range(0, count)
        .mapToObj("\"c%d\":{}"::formatted)
        .collect(
            Collectors.joining(
                ",",
                "{\"schema\":\"broker-table/1\",\"version\":1,\"defaultClass\":\"c0\",\"services\":[],\"bindings\":{",
                "}}"));
  }

  private static String names(int count) {
    return IntStream.range(0, count)
        .mapToObj(each -> "\"s" + each + "\"")
        .collect(Collectors.joining(","));
  }

  @Test
  void shouldBoundNamesEndpointsAndMappings() {
    bounded("\"id\": \"a\"", length -> "\"id\": \"" + "a".repeat(length) + "\"", 64);
    bounded(
        "\"http://host:80/base\"",
        length -> "\"http://h/" + "a".repeat(length - 9) + "\"",
        RegisteredService.MAX_ENDPOINT_CHARS);
    bounded("\".a\"", length -> "\"" + "a".repeat(length) + "\"", InterfaceMapping.MAX_CHARS);
    bounded("\"k\"", length -> "\"" + "a".repeat(length) + "\"", InterfaceMapping.MAX_CHARS);
    bounded(
        "\"X-Key\": \"k\"",
        count ->
            IntStream.range(0, count)
                .mapToObj(each -> "\"X" + each + "\": \"k\"")
                .collect(Collectors.joining(",")),
        InterfaceMapping.MAX_HEADERS);
  }

  /** Checks that the greatest allowed number is read, and one more is not. */
  private void bounded(String part, IntFunction<String> other, int most) {
    valid(reader.service(bytes(SERVICE.replace(part, other.apply(most)))));
    problems(reader.service(bytes(SERVICE.replace(part, other.apply(most + 1)))));
  }
}
