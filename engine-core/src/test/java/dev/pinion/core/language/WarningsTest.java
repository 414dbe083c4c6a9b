package dev.pinion.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is allowed and hardly meant. */
class WarningsTest {
  private static final String HEAD =
      "document: {dsl: 1.0.3, namespace: test, name: odd, version: 1.0.0}\n";

  private static CompilationResult compile(String yaml, int maxProblems) {
    Map<String, Integer> limits = Map.of("definition.maxProblems", maxProblems);
    return new WorkflowCompiler(EngineLimits.defaults().with(limits))
        .compile(HEAD + yaml, DocumentReader.YAML);
  }

  private static List<String> warnings(String yaml) {
    CompilationResult result = compile(yaml, 100);
    return assertInstanceOf(CompilationResult.Compiled.class, result, result::toString)
        .warnings()
        .stream()
        .map(Diagnostic::toString)
        .toList();
  }

  @Test
  void shouldWarnOfExpressionsOfOtherLanguages() {
    String yaml =
        """
        do:
          - a: {set: {x: '{{ user.name }}', y: 'Hello {{ name }}!', z: ['Hi ${ .name }, "you"!']}}
          - b: {set: {fine: '${ "a \\(.b)" }', braces: '{a}', json: '{"a": {"b": 1}}'}}
          - c: {raise: {error: {type: http://a.b/c, status: 400, detail: 'No ${ .item }'}}}
        """;

    assertEquals(
        List.of(
            "3:18 /do/0/a/set/x: expected ${ … } around an expression, found {{ … }} in"
                + " \"{{ user.name }}\", which stays as it is; did you mean \"${ .user.name }\"?",
            "3:40 /do/0/a/set/y: expected ${ … } around an expression, found {{ … }} in"
                + " \"Hello {{ name }}!\", which stays as it is; did you mean"
                + " \"${ \"Hello \\(.name)!\" }\"?",
            "3:65 /do/0/a/set/z/0: expected ${ … } around the whole text, found it inside"
                + " \"Hi ${ .name }, \"you\"!\", which stays as it is; did you mean"
                + " \"${ \"Hi \\(.name), \\\"you\\\"!\" }\"?",
            "5:66 /do/2/c/raise/error/detail: expected ${ … } around the whole text, found it"
                + " inside \"No ${ .item }\", which stays as it is; did you mean"
                + " \"${ \"No \\(.item)\" }\"?"),
        warnings(yaml));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ %s", // would be an expression, but for its end
        "{{ a.%s }}",
        "${ .a%s } and more",
        "{a.%s}/{{ b }}",
        "${ $secrets%s }"
      })
  void shouldLookAtALongTextOnce(String text) {
    String spaces = text.replace("%s", " ".repeat(200_000));
    String names = text.replace("%s", "b.".repeat(100_000) + "c");

    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (String each : List.of(spaces, names)) {
            var _ = compile("do: [{a: {set: {x: '" + each + "'}}}]\n", 100);
            var _ = compile("do: [{a: {" + CALL.replace("{id}", each) + "}}]\n", 100);
            String body = CALL.replace("'}", "', body: '" + each + "'}");
            var _ = compile("do: [{a: {" + body + "}}]\n", 100);
          }
        });
  }

  @Test
  void shouldKnowThatProgramsHaveBracesOfTheirOwn() {
    String yaml =
        """
        do:
          - a: {run: {shell: {command: 'docker ps --format "{{ .Names }}" "${HOME}"'}}}
          - b: {run: {script: {language: js, code: 'console.log(`${a.b} ${ c }`)'}}}
          - c: {run: {shell: {command: 'echo "Hello, ${ .user.name }"'}}}
          - d: {run: {shell: {command: '${ "ls \\(.folder)" }'}}}
        """;

    assertEquals(
        List.of(
            "5:32 /do/2/c/run/shell/command: expected ${ … } around the whole text, found it"
                + " inside \"echo \"Hello, ${ .user.name }\"\", which stays as it is; pass the"
                + " value as one of \"arguments\""),
        warnings(yaml));
  }

  @Test
  void shouldWarnOfUnknownMethods() {
    String yaml =
        """
        do:
          - a: {call: http, with: {method: psot, endpoint: http://a.b}}
          - b: {call: http, with: {method: PURGE, endpoint: http://a.b}}
          - c: {call: http, with: {method: patch, endpoint: http://a.b}}
        """;

    assertEquals(
        List.of(
            "3:36 /do/0/a/with/method: expected a known request method, found \"psot\"; did you"
                + " mean \"post\"?",
            "4:36 /do/1/b/with/method: expected a known request method, found \"PURGE\""),
        warnings(yaml));
  }

  @Test
  void shouldWarnOfFunctionsThatNobodyCanCall() {
    assertEquals(
        List.of(
            "2:19 /use/functions/http: expected another name of a function, as a call of http is"
                + " one of the language"),
        warnings("use: {functions: {http: {wait: PT1S}}}\ndo: [{a: {wait: PT1S}}]\n"));
  }

  private static final String CALL = "call: http, with: {method: get, endpoint: 'http://a.b/{id}'}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        // the input, or what an expression or a service makes, may have any members
        "do: [{a: {CALL}}]",
        "input: {schema: {document: {type: object}}}\ndo: [{a: {CALL}}]",
        "input: {schema: {document: {properties: {x: {}}, additionalProperties: true}}}\ndo: [{a: {CALL}}]",
        "input: {schema: {document: {properties: {x: {}}, allOf: [{required: [id]}]}}}\ndo: [{a: {CALL}}]",
        "do: [{s: {set: '${ . }'}}, {a: {CALL}}]",
        "do: [{s: {set: {x: 1}, output: {as: .x}}}, {a: {CALL}}]",
        "do: [{s: {call: http, with: {method: get, endpoint: 'http://a.b'}}}, {a: {CALL}}]",
        "do: [{s: {for: {in: .x}, do: [{w: {set: {x: 1}}}]}}, {a: {CALL}}]",
        // known members
        "input: {schema: {document: {properties: {id: {}}}}}\ndo: [{a: {CALL}}]",
        "input: {from: {id: 1}}\ndo: [{w: {wait: PT1S}}, {a: {CALL}}]",
        "do: [{s: {set: {id: 1}}}, {a: {CALL}}]",
        "do: [{s: {set: {x: 1}}}, {a: {input: {from: {id: 1}}, CALL}}]",
        "do: [{s: {do: [{t: {set: {id: 1}}}]}}, {a: {CALL}}]",
        "do: [{s: {set: {x: 1}, output: {as: {id: 1}}}}, {a: {CALL}}]",
        "do: [{s: {try: [{t: {set: {x: 1}}}], catch: {do: [{u: {set: {id: 1}}}]}}}, {a: {CALL}}]",
        "do: [{s: {set: {id: 1}}}, {t: {if: .x, set: {x: 1}}}, {a: {CALL}}]",
        "do: [{s: {set: {id: 1}, then: a}}, {t: {set: {x: 1}}}, {a: {CALL}}]",
        "do: [{s: {set: {x: 1}}}, {a: {CALL, output: {as: {id: 1}}}}, {b: {wait: PT1S, then: a}}]",
        // variables of loops and catches
        "do: [{s: {set: {x: [1]}}}, {l: {for: {each: id, in: .x}, do: [{a: {CALL}}]}}]",
        "do: [{s: {set: {x: 1}}}, {l: {call: 'parallelForEach:1.0.0@default', with: {at: id, in: [1], do: [{a: {CALL}}]}}}]",
        // arguments
        "use: {functions: {f: {CALL}}}\ndo: [{a: {call: f, with: {id: 1}}}]",
        "use: {functions: {f: {CALL}}}\ndo: [{a: {wait: PT1S}}]"
      })
  void shouldAcceptVariablesThatMayBeFilled(String yaml) {
    assertEquals(List.of(), warnings(yaml.replace("CALL", CALL)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "input: {schema: {document: {properties: {ids: {}}}}}\ndo: [{a: {CALL}}]",
        "input: {from: {ids: 1}}\ndo: [{w: {wait: PT1S}}, {a: {CALL}}]",
        "do: [{s: {set: {ids: 1}}}, {a: {CALL}}]",
        "do: [{s: {set: {ids: 1}}}, {t: {fork: {branches: [{a: {CALL}}]}}}]",
        "do: [{s: {set: {ids: 1}}}, {t: {try: [{a: {CALL}}], catch: {as: e}}}]",
        "do: [{s: {set: {id: 1}, then: b}}, {a: {CALL}}, {b: {wait: PT1S}}]",
        "use: {functions: {f: {CALL}}}\ndo: [{a: {call: f, with: {ids: 1}}}]",
        "use: {functions: {f: {CALL}}}\ndo: [{a: {call: f}}]",
        "do: [{a: {input: {schema: {document: {properties: {ids: {}}}}}, CALL}}]"
      })
  void shouldWarnOfVariablesThatNothingFills(String yaml) {
    List<String> warnings = warnings(yaml.replace("CALL", CALL));

    assertEquals(1, warnings.size(), warnings::toString);
    String found = warnings.getFirst();
    assertEquals(
        "expected a variable that an input schema, an earlier task or a loop fills",
        found.substring(found.indexOf(": ") + 2, found.indexOf(" (")));
  }

  @Test
  void shouldLookForFewOfManyPlaces() {
    String refused = "{!}".repeat(200_000);
    String unclosed = "'${',".repeat(200_000);
    String unfilled =
        IntStream.range(0, 100_000).mapToObj(i -> "{x" + i + "}").collect(Collectors.joining());

    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          var _ = compile("do: [{a: {" + CALL.replace("{id}", refused) + "}}]\n", 100);
          var _ = compile("do: [{a: {set: {x: [" + unclosed + "]}}}]\n", 100);
          String call = CALL.replace("{id}", unfilled);
          assertEquals(10, warnings("do: [{s: {set: {id: 1}}}, {a: {" + call + "}}]\n").size());
        });
  }

  @Test
  void shouldTellWhereTheVariableStandsAndWhatIsKnown() {
    String yaml =
        """
        do:
          - s: {set: {petName: x, petId: 7}}
          - l:
              for: {in: '${ [1] }'}
              do:
                - m: {set: {petId: 1}}
                - a: {call: http, with: {method: get, endpoint: 'http://a.b/{petid}'}}
        """;

    assertEquals(
        List.of(
            "8:70 /do/1/l/do/1/a/with/endpoint: expected a variable that an input schema, an"
                + " earlier task or a loop fills (item, index, petId), found {petid}; did you mean"
                + " \"petId\"?"),
        warnings(yaml));
  }

  @Test
  void shouldGiveWarningsBesideProblemsUpToTheLimit() {
    CompilationResult.Rejected rejected =
        assertInstanceOf(
            CompilationResult.Rejected.class,
            compile(
                "do: [{a: {set: {v: '{{a}}', w: '{{b}}', x: '{{c}}', y: '{{d}}'}, then: gone}}]\n",
                3));

    assertEquals(1, rejected.problems().size());
    assertEquals(3, rejected.warnings().size());
  }
}
