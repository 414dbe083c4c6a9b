package dev.pinion.core.protobuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services and messages of {@code .proto} files, and what is wrong with others. */
class ProtoLinkerTest {
  private static final String SERVICE =
      """
      service S {
        rpc Call(M) returns (M);
      }
      """;

  private final Map<String, String> files = new HashMap<>();
  private final List<String> asked = new ArrayList<>();

  private @Nullable ProtoServices services(String text) throws ProtoSyntaxException {
    ProtoLinker linker =
        new ProtoLinker(
            (importing, path, offset) -> {
              asked.add(importing.name() + " " + path + " " + offset);
              String found = files.get(path);
              return found == null ? null : new ProtoDocument(path, found);
            });
    return linker.services(new ProtoDocument("main.proto", text));
  }

  private Descriptor message(String text) throws ProtoSyntaxException {
    ProtoServices services = services(text);
    assertNotNull(services);
    ProtoMethod method = services.method("S", "Call");
    assertNotNull(method);
    return method.descriptor().getInputType();
  }

  private static FieldDescriptor field(Descriptor message, String name) {
    FieldDescriptor field = message.findFieldByName(name);
    assertNotNull(field, name);
    return field;
  }

  private String problem(String text) {
    ProtoSyntaxException refused =
        assertThrows(ProtoSyntaxException.class, () -> services(text));
    return refused.document() + ":" + refused.offset() + ": " + refused.problem();
  }

  @Test
  void shouldReadTheThirdVersion() throws ProtoSyntaxException {
    Descriptor message =
        message(
            """
            // a comment with { and "
            syntax = 'proto3';
            package demo.v1; /* another
            one */
            option java_package = "x";
            option (own.option) = { a: [1, 2] b { c: "}" } };
            message M {
              option deprecated = false;
              reserved 100, 200 to 300, 1000 to max;
              reserved "old", "older";
              string name = 1;
              optional int32 age = 2 [deprecated = true, (own.rule).max = 5];
              repeated Kind kinds = 0x3 [packed = false];
              map<string, Inner> by_name = 4;
              oneof choice { string text = 5; .demo.v1.M.Inner inner = 6; }
              bytes raw_bytes = 7 [json_name = "RAW"];
              message Inner { int64 n = 1; };
              enum Kind { option allow_alias = true; NONE = 0; ONE = 1 [deprecated = true]; UNO = 1; LESS = -1; }
            }
            service S { option deprecated = true;
              rpc Call(M) returns (stream .demo.v1.M) { option idempotency_level = IDEMPOTENT; }
            }
            """);

    assertEquals("demo.v1.M", message.getFullName());
    assertEquals(FieldDescriptor.Type.STRING, field(message, "name").getType());
    assertFalse(field(message, "name").hasPresence());
    assertTrue(field(message, "age").hasPresence());
    assertNull(field(message, "age").getRealContainingOneof());
    assertEquals(FieldDescriptor.Type.ENUM, field(message, "kinds").getType());
    assertEquals(3, field(message, "kinds").getNumber());
    assertFalse(field(message, "kinds").isPacked());
    assertTrue(field(message, "by_name").isMapField());
    assertEquals("byName", field(message, "by_name").getJsonName());
    assertEquals("choice", field(message, "inner").getRealContainingOneof().getName());
    assertEquals("demo.v1.M.Inner", field(message, "inner").getMessageType().getFullName());
    assertEquals("RAW", field(message, "raw_bytes").getJsonName());
    assertEquals(-1, message.getEnumTypes().getFirst().findValueByName("LESS").getNumber());
  }

  @Test
  void shouldReadTheSecondVersion() throws ProtoSyntaxException {
    Descriptor message =
        message(
            """
            message M {
              required string id = 1;
              optional int32 n = 2 [default = -7];
              repeated group Result = 3 { optional string url = 1; }
              extensions 100 to 199, 500;
              extend M { optional string more = 100; }
            }
            extend M { optional group Part = 101 { optional int32 x = 1; } }
            """
                + SERVICE);

    assertTrue(field(message, "id").isRequired());
    assertEquals(-7, field(message, "n").getDefaultValue());
    assertEquals(FieldDescriptor.Type.GROUP, field(message, "result").getType());
    assertEquals("M.Result", field(message, "result").getMessageType().getFullName());
  }

  @Test
  void shouldTellWhatMethodsStream() throws ProtoSyntaxException {
    ProtoServices services =
        services(
            """
            syntax = "proto3";
            package a.b;
            message M {}
            service S {
              rpc One(M) returns (M);
              rpc Many(M) returns (stream M);
              rpc Up(stream M) returns (M) {}
            }
            service T {}
            """);

    assertNotNull(services);
    assertEquals(List.of("a.b.S", "a.b.T"), services.names());
    assertEquals(List.of("One", "Many", "Up"), services.methods("S"));
    assertEquals(List.of(), services.methods("U"));
    ProtoMethod many = services.method("a.b.S", "Many");
    ProtoMethod up = services.method("S", "Up");
    assertNotNull(many);
    assertNotNull(up);
    assertTrue(many.streamsAnswers());
    assertFalse(many.streamsArguments());
    assertTrue(up.streamsArguments());
    assertFalse(up.streamsAnswers());
    assertEquals("a.b.S", up.service());
    assertNull(services.method("S", "Down"));
    assertNull(services.method("X", "One"));
  }

  @Test
  void shouldResolveImports() throws ProtoSyntaxException {
    files.put("types/m.proto", "syntax = 'proto3'; package t; import public 'deep.proto'; message M { Deep deep = 1; }");
    files.put("deep.proto", "syntax = 'proto3'; package t; message Deep { string x = 1; }");
    Descriptor message =
        message(
            """
            syntax = "proto3";
            import "types/m.proto";
            import "google/protobuf/timestamp.proto";
            import weak "google/protobuf/struct.proto";
            import "google/api/annotations.proto";
            message M {
              t.M m = 1;
              t.Deep deep = 2;
              google.protobuf.Timestamp at = 3;
              google.protobuf.Value any = 4;
            }
            """
                + SERVICE);

    assertEquals("t.Deep", field(message, "deep").getMessageType().getFullName());
    assertEquals(
        "google.protobuf.Timestamp", field(message, "at").getMessageType().getFullName());
    assertEquals(List.of("main.proto types/m.proto 26", "types/m.proto deep.proto 44"), asked);
  }

  @Test
  void shouldFindServicesOfPublicImportsOnly() throws ProtoSyntaxException {
    files.put("a.proto", "message A {} service Public { rpc Call(A) returns (A); }");
    files.put("b.proto", "message B {} service Private { rpc Call(B) returns (B); }");

    ProtoServices services = services("import public 'a.proto'; import 'b.proto';");

    assertNotNull(services);
    assertEquals(List.of("Public"), services.names());
  }

  @Test
  void shouldLeaveMissingImportsToWhoFindsThem() throws ProtoSyntaxException {
    assertNull(services("import 'missing.proto';"));
    assertEquals(List.of("main.proto missing.proto 7"), asked);
  }

  @Test
  void shouldTellWhichFileIsWrong() {
    files.put("a.proto", "message A {");
    assertEquals(
        "a.proto:11: expected optional, required or repeated before a field (syntax proto2), found"
            + " the end of the text",
        problem("import 'a.proto';"));
  }

  @Test
  void shouldRefuseFilesThatImportEachOther() {
    files.put("a.proto", "import 'b.proto';");
    files.put("b.proto", "import 'a.proto';");
    assertEquals(
        "b.proto:7: expected files that do not import each other, found \"a.proto\" in a circle",
        problem("import 'a.proto';"));
  }

  @Test
  void shouldRefuseDeepMessages() {
    assertEquals(
        "main.proto:320: expected at most 33 messages inside each other",
        problem("message M{".repeat(40)).replaceAll("main.proto:\\d+", "main.proto:320"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "syntax = 'proto4';|9|expected syntax \"proto2\" or \"proto3\", found \"proto4\"",
        "edition = '2023';|0|expected syntax \"proto2\" or \"proto3\", found an edition",
        "syntax 'proto3';|7|expected \"=\", found a string",
        "mesage M {}|0|expected import, package, option, message, enum, extend or service, found \"mesage\"",
        "package;|7|expected the name of a package, found \";\"",
        "import 'a;|7|expected the end of a string on its line, found none",
        "import 'a';import 'a';|18|expected each import once, found \"a\" again",
        "/* open|0|expected the end of the comment, found none",
        "enum E { A = x; }|13|expected the number of A as an integer of 32 bits, found \"x\"",
        "enum E { A = 99999999999; }|13|expected the number of A as an integer of 32 bits, found \"99999999999\"",
        "enum E { A = 09; }|13|expected the number of A as an integer, found \"09\"",
        "message M { string s = 1; }|12|expected optional, required or repeated before a field (syntax proto2), found \"string\"",
        "message M { optional string 1 = 1; }|28|expected the name of a field, found \"1\"",
        "message M { map string s = 1; }|16|expected \"<\", found \"string\"",
        "service S { get X(A) returns (B); }|12|expected \"rpc\", found \"get\"",
        "service S { rpc X(A) return (B); }|21|expected \"returns\", found \"return\"",
        "service S { rpc X(A) returns (B) { option a = {|47|expected the end of the statement, found the end of the text",
        "message M { optional Missing m = 1; }|29|expected a valid declaration of M.m, found: \"Missing\" is not defined.",
        "message M { optional string a = 1; optional string b = 1; }|51|expected a valid declaration of M.b, found: Field number 1 has already been used in \"M\" by field \"a\".",
      })
  void shouldSayWhatIsWrong(String text, int offset, String problem) {
    assertEquals("main.proto:" + offset + ": " + problem, problem(text));
  }
}
