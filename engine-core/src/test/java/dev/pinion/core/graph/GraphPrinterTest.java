package dev.pinion.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import org.junit.jupiter.api.Test;

class GraphPrinterTest {
  private static final String DEFINITION =
      """
      document: {dsl: 1.0.3, namespace: test, name: printed, version: 1.0.0}
      input: {from: .order}
      timeout: {after: PT1H}
      do:
        - check:
            if: .total > 0
            switch:
              - large: {when: .total > 100, then: approve}
              - other: {then: pay}
              - small: {when: .total < 5, then: end}
        - approve:
            fork:
              compete: true
              branches:
                - ann: {call: http, with: {method: get, endpoint: "svc://people/ann"}}
                - bob: {wait: PT1S, then: end}
            output: {as: .approved}
        - pay:
            try:
              - charge:
                  raise: {error: {type: "http://a.b/c", status: 402}}
            catch:
              errors: {with: {status: 402}}
              retry: {delay: PT1S, backoff: {exponential: {}}, limit: {attempt: {count: 3}}}
              do:
                - tell: {set: {failed: true}}
              then: exit
        - items:
            for: {each: line, in: .lines}
            while: $index < 3
            do:
              - each:
                  call: parallelForEach:1.0.0@default
                  with: {in: $line.parts, maxConcurrency: 4, do: [{"say \\"hi\\"": {wait: PT1S}}]}
        - last: {do: [{done: {set: {ok: true}}}], export: {as: .ok}, then: end}
      """;

  private static ProcessGraph graph() {
    return graph(DEFINITION);
  }

  private static ProcessGraph graph(String definition) {
    CompilationResult compilationResult =
        new WorkflowCompiler(EngineLimits.defaults()).compile(definition, "application/yaml");
    return assertInstanceOf(
            CompilationResult.Compiled.class, compilationResult, compilationResult::toString)
        .graph();
  }

  @Test
  void shouldPrintAGraph() {
    assertEquals(
        """
        test/printed/1.0.0 [input.from, timeout]
          0 switch check [if]
            when -> 1 approve
            when -> end
            otherwise -> 4 pay
          1 fork(compete) approve [output.as]
            2 call ann
            3 wait bob -> end
          4 try pay
            5 raise charge
          catch error [errors, retry exponential at most 3] -> exit
            6 set tell
          7 for(line, index, while) items
            8 parallelForEach(item, index, at most 4) each
              9 wait say "hi"
          10 do last [export.as] -> end
            11 set done
        """,
        GraphPrinter.print(graph()));
  }

  private static final String EXTENDED =
      """
      document: {dsl: 1.0.3, namespace: test, name: extended, version: 1.0.0}
      use:
        functions: {f: {set: {x: 1}}}
        extensions:
          - e: {extend: switch, when: .on, before: [{b: {wait: PT1S, then: exit}}], after: [{a: {wait: PT1S}}]}
      do:
        - first: {call: f}
        - choose: {switch: [{again: {when: .x, then: first}}, {stop: {then: end}}], then: exit}
      """;

  @Test
  void shouldPrintWhatIsInlined() {
    ProcessGraph graph = graph(EXTENDED);

    assertEquals(
        """
        test/extended/1.0.0
          0 do first
            1 set with
            2 set f
          3 do choose -> exit
            4 switch e -> 6 choose
              when -> continue
            5 wait b -> exit
            6 switch choose [input.from]
              when -> outer 0
              otherwise -> outer end
            7 do e [if, output.as]
              8 wait a
        """,
        GraphPrinter.print(graph));
    assertTrue(graph.body().repeats());
  }
}
