package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 17: errors of expressions say which value, which expression and what it met. */
class ExpressionPlacesTest {
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
          do: [{a: {call: http, with: {method: get, endpoint: '${ 5 }'}}}] ; /do/0/a/with/endpoint ; 5 ; 5
          do: [{a: {call: http, with: {method: post, endpoint: 'http://s.test/', body: {n: '${ 5 | .b }'}}}}] ; /do/0/a/with/body/n ; 5 | .b ; number
          do: [{a: {call: http, with: {method: get, endpoint: 'http://s.test/', headers: {n: '${ 5 | .b }'}}}}] ; /do/0/a/with/headers/n ; 5 | .b ; number
          """)
  void shouldTellThePlaceTheExpressionAndTheKind(
      String tasks, String pointer, String expression, String kind) throws Exception {
    InstanceView ended;
    try (PipelineDriver driver = PipelineDriver.Kind.BY_HAND.open(EngineLimits.defaults())) {
      ended =
          driver.run(HEAD + tasks, Payload.EMPTY_OBJECT, request -> new Service.Answer(500, "{}"));
    }

    assertEquals(InstanceState.FAULTED, ended.state());
    WorkflowError error = ended.error();
    assertNotNull(error);
    String detail = String.valueOf(error.detail());
    assertTrue(detail.endsWith(pointer + ": ${ " + expression + " })"), detail);
    assertTrue(detail.substring(0, detail.indexOf(" (/")).contains(kind), detail);
    assertEquals("/do/0/a", error.instance());
  }
}
