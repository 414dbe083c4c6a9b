package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 17: errors of expressions report the place, the expression and the value found. */
class ExpressionLocationsTest {
  private static final String HEAD =
      "document: {dsl: '1.0.3', namespace: test, name: places, version: '1.0.0'}\n";

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          do: [{a: {set: {x: {y: '${ 5 | .b }'}}}}] ; /do/0/a/set/x/y ; 5 | .b ; number
          do: [{a: {set: '${ 5 | .b }'}}] ; /do/0/a/set ; 5 | .b ; number
          do: [{a: {set: {x: ['${ 5 | .b }']}}}] ; /do/0/a/set/x/0 ; 5 | .b ; number
          do: [{a: {if: '${ 5 | .b }', set: {k: 1}}}] ; /do/0/a/if ; 5 | .b ; number
          do: [{a: {if: 5 | .b, set: {k: 1}}}] ; /do/0/a/if ; 5 | .b ; number
          do: [{a: {switch: [{c: {when: '"x" | .b', then: end}}]}}] ; /do/0/a/switch/0/c/when ; "x" | .b ; string
          do: [{a: {for: {in: '${ 5 }'}, do: [{b: {set: {k: 1}}}]}}] ; /do/0/a/for/in ; 5 ; 5
          do: [{a: {for: {in: '${ [1] }'}, while: '5 | .b', do: [{b: {set: {k: 1}}}]}}] ; /do/0/a/while ; 5 | .b ; number
          do: [{a: {wait: '${ true }'}}] ; /do/0/a/wait ; true ; true
          do: [{a: {set: {k: 1}, input: {from: '${ 5 | .b }'}}}] ; /do/0/a/input/from ; 5 | .b ; number
          do: [{a: {set: {k: 1}, output: {as: {q: '${ [] | .b }'}}}}] ; /do/0/a/output/as/q ; [] | .b ; array
          do: [{a: {set: {k: 1}, export: {as: '${ 5 | .b }'}}}] ; /do/0/a/export/as ; 5 | .b ; number
          do: [{a: {raise: {error: {type: 'x:y', status: 400, detail: '${ 5 | .b }'}}}}] ; /do/0/a/raise/error/detail ; 5 | .b ; number
          do: [{a: {raise: {error: {type: 'x:y', status: 400, detail: '${ 5 }'}}}}] ; /do/0/a/raise/error/detail ; 5 ; string
          do: [{a: {raise: {error: {type: '${ null }', status: 400}}}}] ; /do/0/a/raise/error/type ; null ; null
          do: [{a: {raise: {error: {type: 'x:y', status: 400, title: '${ [] }'}}}}] ; /do/0/a/raise/error/title ; [] ; array
          do: [{a: {call: http, with: {method: get, endpoint: '${ 5 }'}}}] ; /do/0/a/with/endpoint ; 5 ; 5
          do: [{a: {call: http, with: {method: get, endpoint: '${ "s.test/x" }'}}}] ; /do/0/a/with/endpoint ; "s.test/x" ; absolute
          do: [{a: {call: http, with: {method: post, endpoint: 'http://s.test/', body: {n: '${ 5 | .b }'}}}}] ; /do/0/a/with/body/n ; 5 | .b ; number
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/', headers: {n: '${ 5 | .b }'}}}}] ; /do/0/a/with/headers/n ; 5 | .b ; number
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/', headers: {n: '${ {a: 1} }'}}}}] ; /do/0/a/with/headers/n ; {a: 1} ; object
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/', headers: {n: '${ "\u00fc" }'}}}}] ; /do/0/a/with/headers/n ; "\u00fc" ; U+00FC
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/', headers: '${ {n: [[1]]} }'}}}] ; /do/0/a/with/headers ; {n: [[1]]} ; array
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/', headers: '${ 5 }'}}}] ; /do/0/a/with/headers ; 5 ; 5
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/', query: {n: '${ {a: 1} }'}}}}] ; /do/0/a/with/query/n ; {a: 1} ; object
          """)
  void shouldTellThePlaceTheExpressionAndTheKind(
      String tasks, String pointer, String expression, String kind) throws Exception {
    WorkflowError error = failure(tasks);
    String detail = String.valueOf(error.detail());
    assertTrue(detail.endsWith(pointer + ": ${ " + expression + " })"), detail);
    assertTrue(detail.substring(0, detail.indexOf(" (/")).contains(kind), detail);
    assertEquals("/do/0/a", error.instance());
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/{x}'}}}] ; /do/0/a/with/endpoint ; none
          do: [{a: {call: http, with: {method: get, endpoint: {uri: 'http://s.test/{x}'}}, input: {from: {x: {y: 1}}}}}] ; /do/0/a/with/endpoint/uri ; object
          do: [{a: {call: http, with: {method: get, endpoint: 'http://{x}/'}, input: {from: {x: a b}}}}] ; /do/0/a/with/endpoint ; host name
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/', query: {n: [[1]]}}}}] ; /do/0/a/with/query/n ; array
          do: [{a: {raise: {error: {type: 'urn:x:{y}', status: 400}}}}] ; /do/0/a/raise/error/type ; none
          """)
  void shouldTellThePlaceOfWhatIsNoExpression(String tasks, String pointer, String kind)
      throws Exception {
    String detail = String.valueOf(failure(tasks).detail());
    assertTrue(detail.endsWith(" (" + pointer + ")"), detail);
    assertTrue(detail.contains(kind), detail);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          do: [{a: {set: {x: '${ last(range(1000000000)) }'}}}] ; /do/0/a/set/x ; last(range(1000000000)) ; expression.maxSteps
          do: [{a: {if: 'last(range(1000000000))', set: {k: 1}}}] ; /do/0/a/if ; last(range(1000000000)) ; expression.maxSteps
          do: [{a: {set: {x: '${ [range(100000)] }'}}}] ; /do/0/a/set/x ; [range(100000)] ; instance.maxPayloadBytes
          """)
  void shouldTellThePlaceOfWhatIsBeyondALimit(
      String tasks, String pointer, String expression, String limit) throws Exception {
    Map<String, Integer> low =
        Map.of("expression.maxSteps", 2_000_000, "instance.maxPayloadBytes", 100_000);
    EngineLimits limits = EngineLimits.defaults().with(low);
    String detail = String.valueOf(failure(tasks, PipelineDriver.Kind.FUSED_1, limits).detail());
    assertTrue(detail.endsWith(pointer + ": ${ " + expression + " })"), detail);
    assertTrue(detail.contains(limit), detail);
  }

  @Test
  void shouldFillVariablesIntoTheTypeOfAnError() throws Exception {
    String tasks =
        """
        do:
          - a: {set: {kind: a b}}
          - b: {raise: {error: {type: 'https://x.test/{kind}', status: 400}}}
        """;

    assertEquals("https://x.test/a%20b", failure(tasks).type());
  }

  private static WorkflowError failure(String tasks) throws Exception {
    return failure(tasks, PipelineDriver.Kind.BY_HAND, EngineLimits.defaults());
  }

  private static WorkflowError failure(String tasks, PipelineDriver.Kind kind, EngineLimits limits)
      throws Exception {
    InstanceView ended;
    try (PipelineDriver driver = kind.open(limits)) {
      ended =
          driver.run(
              HEAD + tasks, Payload.EMPTY_OBJECT, request -> new TestService.Answer(500, "{}"));
    }

    assertEquals(InstanceState.FAULTED, ended.state());
    WorkflowError error = ended.error();
    assertNotNull(error);
    return error;
  }
}
